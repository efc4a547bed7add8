//! Every operation under its name: what the documents, the command line and the audit trail call
//! `core.job.save` is the function [`api::core::job::save`](crate::api::core::job::save), whichever
//! module has it. Call it with [`Platform::call`](crate::Platform::call); its input and its answer
//! are in that module, or its folder re-exports them (`jobs::SaveJob`). A function with a type
//! parameter lists records of several kinds: `api::admin::athlete::list::<AthleteAccount>`.

pub mod admin;
pub mod compliance;
pub mod core;
