//! Rows about athletes in the lists of an institution.

use sea_query::{Expr, ExprTrait as _, JoinType, SelectStatement};

use crate::kernel::SportId;
use crate::storage::{Found, Narrow as _};

/// Joins the athletes of a table's rows as `athlete`.
pub fn with_athletes(rows: &mut SelectStatement, table: &'static str) {
    let whose = Expr::col(("athlete", "id")).equals((table, "athlete_id"));
    rows.join(JoinType::InnerJoin, "athlete", whose);
}

/// A table's rows of athletes who are in each of these sets of sports, an empty one being all; with
/// what `read` reads of them and of their athletes. Without a sport, the rows are counted without
/// their athletes.
pub fn of_sports(
    mut rows: SelectStatement,
    table: &'static str,
    sports: [&[SportId]; 2],
    read: impl FnOnce(&mut SelectStatement),
) -> Found {
    let by_sport = sports.iter().any(|some| !some.is_empty());
    if by_sport {
        with_athletes(&mut rows, table);
        for some in sports {
            rows.only_among(("athlete", "sport_id"), some.iter().copied());
        }
    }
    Found::from(rows).beside(|rows| {
        if !by_sport {
            with_athletes(rows, table);
        }
        read(rows);
    })
}
