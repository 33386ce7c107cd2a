//! What is known of paths.

use fullcourt_engine::board::{Directions, Leg};

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
