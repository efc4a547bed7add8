//! The pauses between the tries of a delivery.

use chrono::TimeDelta;

/// The pause after each failed try. After the last one the delivery is given up.
const PAUSES: [TimeDelta; 9] = [
    TimeDelta::seconds(5),
    TimeDelta::minutes(5),
    TimeDelta::minutes(30),
    TimeDelta::hours(2),
    TimeDelta::hours(5),
    TimeDelta::hours(10),
    TimeDelta::hours(14),
    TimeDelta::hours(20),
    TimeDelta::hours(24),
];

/// The pause after so many failed tries, up to a tenth shorter or longer, so that what failed
/// together is not tried together; none after the last one.
pub(super) fn pause_after(attempts: i64, chance: u64) -> Option<TimeDelta> {
    let place = usize::try_from(attempts).ok()?.checked_sub(1)?;
    let pause = PAUSES.get(place)?;
    let fifth = u64::try_from(pause.num_milliseconds() / 5).unwrap_or(0);
    let more = i64::try_from(chance % (fifth + 1)).unwrap_or(0);
    Some(*pause - *pause / 10 + TimeDelta::milliseconds(more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_those_of_the_list_give_or_take_a_tenth() {
        for (place, pause) in PAUSES.iter().enumerate() {
            let attempts = i64::try_from(place).unwrap() + 1;
            for chance in [0, 1, 977, u64::MAX] {
                let drawn = pause_after(attempts, chance).unwrap();
                assert!(drawn >= *pause - *pause / 10 && drawn <= *pause + *pause / 10, "{drawn}");
            }
        }
        assert_eq!(pause_after(10, 0), None);
        assert_eq!(pause_after(0, 0), None);
    }

    #[test]
    fn a_delivery_is_tried_for_three_days() {
        let all: TimeDelta = PAUSES.iter().sum();
        assert_eq!(all.num_minutes(), 75 * 60 + 35);
    }
}
