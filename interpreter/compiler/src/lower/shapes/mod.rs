//! Shapes: what lowering recognises and does in a shorter way. Each is a file here; its head says what it recognises, names
//! the function that is its precondition, and says what it emits. Each can be switched off alone: the code is the plain one
//! then, and means the same. So a shape can be compared with what it stands for, and a wrong one is found by its name.

mod aims_as_set;
mod and_not;
mod bulk_marks;
mod by_kind;
mod counted_loop;
mod first_suffices;
mod known_facing;
mod known_numbers;
mod known_pieces;
mod known_sets;
mod known_tests;
mod lone_branch;
mod needed_reach;
pub(super) mod reversed_reach;
pub(super) mod shield;

use fullcourt_engine::program::Without;

/// Names and lines of the shapes, in their order: `Variant "name" "what it does"`.
macro_rules! shapes {
    ($($shape:ident $name:literal $what:literal)*) => {
        /// A shape.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Shape {
            $(#[doc = $what] $shape,)*
        }

        impl Shape {
            /// All of them.
            pub const ALL: &[Shape] = &[$(Shape::$shape),*];

            /// Its name, which stays.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Shape::$shape => $name,)*
                }
            }

            /// What it does, in a line.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self {
                    $(Shape::$shape => $what,)*
                }
            }
        }
    };
}

shapes! {
    ByKind "by-kind" "Code for each kind of the first aim, so that branches which a kind does not have are gone."
    ReversedReach "reversed-reach" "Whether a place is reached is asked from the place backwards, not from every piece."
    NeededReach "needed-reach" "A piece that must reach a place is looked for from the place."
    Shield "shield" "Whole sets of aims are legal where nobody guarded is reached and no line is left."
    KnownTests "known-tests" "Tests that come out the same in every position are not asked."
    KnownPieces "known-pieces" "What is known of the kind and the side of a piece is not asked again."
    KnownFacing "known-facing" "The way a piece faces is settled where its side is known."
    KnownSets "known-sets" "Zones, bands of ranks or files and what is made of them are worked out when lowered."
    KnownNumbers "known-numbers" "The side that acts, its opponent and sums of known numbers are worked out when lowered."
    AndNot "and-not" "`a and not b` takes one operation."
    FirstSuffices "first-suffices" "Whether some place passes a test is settled by the first that does."
    AimsAsSet "aims-as-set" "Last aims that nothing tests are given out as a set."
    LoneBranch "lone-branch" "A movement with one branch without a condition is that branch."
    BulkMarks "bulk-marks" "A loop that only marks or unmarks each place of a set becomes one operation for the set."
    CountedLoop "counted-loop" "A loop that only adds a known number becomes a count and one addition."
    PathTables "path-tables" "Paths are looked up in tables of the board instead of walked."
    JudgedLater "judged-later" "A phase in which rules can only decide the game is judged by who looks for legal actions anyway."
    RememberedAnswers "remembered-answers" "Answers of plugins are remembered by their arguments."
}

impl Shape {
    /// The shape of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Shape> {
        Shape::ALL.iter().copied().find(|shape| shape.name() == name)
    }

    fn bit(self) -> u32 {
        1 << (self as u32)
    }
}

/// A set of shapes: those that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shapes(u32);

impl Default for Shapes {
    /// All of them.
    fn default() -> Self {
        Shapes(u32::MAX)
    }
}

impl Shapes {
    /// No shape: the plain code.
    pub const NONE: Shapes = Shapes(0);

    /// The set without a shape.
    #[must_use]
    pub fn without(self, shape: Shape) -> Shapes {
        Shapes(self.0 & !shape.bit())
    }

    /// Whether a shape is used.
    #[must_use]
    pub fn has(self, shape: Shape) -> bool {
        self.0 & shape.bit() != 0
    }

    /// What the machine is told: some shapes are its own.
    pub(super) fn machine(self) -> Without {
        Without {
            path_tables: !self.has(Shape::PathTables),
            judging_later: !self.has(Shape::JudgedLater),
            remembering: !self.has(Shape::RememberedAnswers),
        }
    }
}
