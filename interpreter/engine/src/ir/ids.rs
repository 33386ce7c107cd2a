//! Dense numbers, places in sources, and types.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index.
            #[must_use]
            pub fn ix(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of [`Rules::exprs`](super::Rules::exprs).
    ExprId,
    /// A statement of [`Rules::stmts`](super::Rules::stmts).
    StmtId,
    /// A plane of the position: one set of places.
    Plane,
    /// A number of the position.
    Slot,
    /// A value of the running rule's frame.
    Local,
    /// A zone.
    ZoneId,
    /// A geometry.
    GeoId,
    /// A primitive movement.
    PathId,
    /// An option.
    OptId,
    /// A span of time.
    SpanId,
    /// A clock.
    ClockId,
    /// A counter that belongs to each piece.
    CounterId,
    /// A reserve of pieces off the board.
    ReserveId,
    /// An event.
    EventId,
    /// A phase.
    PhaseId,
    /// A statistic.
    StatId,
    /// A piece remembered beside the position.
    RecallId,
    /// A trait of kinds.
    TraitId,
    /// A history of positions.
    HistoryId,
}

impl Slot {
    /// The slot so many further on.
    #[must_use]
    pub fn plus(self, more: usize) -> Slot {
        Slot(self.0 + u32::try_from(more).unwrap_or(0))
    }
}

impl Plane {
    /// The plane so many further on.
    #[must_use]
    pub fn plus(self, more: u32) -> Plane {
        Plane(self.0 + more)
    }
}

/// A place in a source text: file number, first byte, byte after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Number of the file.
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// One place or none.
    Square,
    /// A set of places.
    Squares,
    /// A side or none.
    Side,
    /// A kind of piece or none.
    Kind,
    /// A set of kinds.
    Kinds,
    /// A whole number.
    Number,
    /// Yes or no.
    Test,
}
