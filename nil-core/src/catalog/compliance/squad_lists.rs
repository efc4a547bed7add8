//! The institution's squad lists.

use crate::auth::Permission;
use crate::catalog::table::portal::{officer, viewer};
use crate::catalog::table::{Entry, Takes, extensions};
use crate::error::codes;
use crate::squad_lists::{browsing, importing};

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.squad_list.list", "GET /squad-lists", browsing::list)
            .purpose("list the members of the institution's squad lists")
            .title("Squad lists")
            .columns(&[
                "name",
                "sport_id",
                "class_year",
                "position",
                "jersey_number",
                "athlete_id",
                "email",
                "student_id",
                "hometown_city",
                "seen_at",
            ])
            .for_impersonators(Permission::Accounts),
        officer("compliance.squad_list.import", "POST /squad-lists/import", importing::import)
            .purpose("import a squad list from a file")
            .title("Import a squad list")
            .verb("Import")
            .says("File read")
            .errors(&[codes::NOT_FOUND])
            .takes(Takes::FileForm),
        officer("compliance.squad_list.remove", "DELETE /squad-lists/{id}", browsing::remove)
            .purpose("remove a member from a squad list")
            .title("Remove a member of a squad list")
            .acts_on("squad_member", "id")
            .verb("Remove")
            .confirm(
                "The member is removed from the list.",
                "The next file that names them adds them again.",
            )
            .says("Member removed")
            .owned(),
    ])
}
