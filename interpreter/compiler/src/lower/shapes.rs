//! What is known of paths.

use fullcourt_engine::board::{Directions, Leg};

/// Whether pieces can stop a path.
pub fn is_stopped(legs: &[Leg]) -> bool {
    !matches!(
        legs,
        [Leg::Leap(..) | Leg::Ride { max: 1, .. } | Leg::Steps { min: 1, max: 1, .. } | Leg::Steps { free: true, .. }]
    )
}

/// Whether it matters which way the piece's owner faces.
pub fn is_facing(legs: &[Leg]) -> bool {
    legs.iter().any(|leg| match leg {
        Leg::Leap(..) => false,
        Leg::Ride { .. } => true,
        Leg::Steps { dirs, .. } => {
            matches!(dirs, Directions::Forward | Directions::Back | Directions::Askew | Directions::Ahead)
        }
    })
}
