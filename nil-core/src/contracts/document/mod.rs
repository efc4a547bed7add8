//! The contract as a PDF.
