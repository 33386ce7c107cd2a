//! The tree of a file as it was written: names are strings, every node has its span, comments are kept.
//!
//! In: nothing. Out: used by `parse` (which makes it) and `model` (which checks it). Nothing here knows what a name means.

use crate::diagnostics::Span;

pub use super::ast_texts::*;

/// A word with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A paragraph of a rulebook and the words that go with it: `§8 "stolen in the lane"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cites {
    /// Paragraphs, `§` included, joined by a blank; empty when there is none.
    pub cite: String,
    /// The words; empty when there are none.
    pub text: String,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// Its items in order.
    pub items: Vec<Item>,
    /// Its comments in order.
    pub comments: Vec<Comment>,
}

/// A comment, from `//` to the end of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its text with the slashes.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub struct Item {
    /// The whole item.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// What a top-level item is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `language 1`
    Language { version: i64, span: Span },
    /// `ruleset "Title"`
    Ruleset { title: String },
    /// `extends yard`
    Extends { path: Name },
    /// `use ball`
    Use { path: Name },
    /// `side White faces north`
    Side { name: Name, faces: Name },
    /// `board 8 x 8 and e0, f0`
    Board { files: i64, ranks: i64, beyond: Vec<Name>, cites: Cites },
    /// `zone rim per side drawn "=" = …`
    Zone { name: Name, per_side: bool, drawn: Option<String>, value: Expr, cites: Cites },
    /// `option arc = 3 in 0..8`, `option corners = yes | no`
    Option { name: Name, domain: OptionDomain, cites: Cites },
    /// `set target = 21`
    SetOption { name: Name, value: Name },
    /// `setup lineup per side = "…" : …`, `setup tip: side = random`
    Setup { name: Name, what: Setup, cites: Cites },
    /// `reserve bench`
    Reserve { name: Name },
    /// `plugin eurostep { … }`
    Plugin { name: Name, functions: Vec<PluginFn> },
    /// `geometry reach = moves`
    Geometry { name: Name, default: Option<Name> },
    /// `trait lobs`
    Trait { name: Name },
    /// `piece Slider "S" { … }`
    Piece { name: Name, letter: String, attributes: Vec<Attribute>, traits: Vec<Name>, cites: Cites },
    /// `span possession of offense against defense in game`
    Span { name: Name, owner: Option<Name>, against: Option<Name>, within: Name },
    /// `mark ball one in game drawn "*"`
    Mark { name: Name, one: bool, within: Option<Name>, drawn: Option<String>, cites: Cites },
    /// `counter bursts up to 100 in possession`
    Counter { name: Name, max: i64, within: Name, cites: Cites },
    /// `clock shot = option.shot_clock in possession while across`
    Clock { name: Name, start: Expr, within: Name, runs: Option<Expr>, cites: Cites },
    /// `latch across in possession when …`
    Latch { name: Name, within: Name, when: Expr, cites: Cites },
    /// `count turns of turn in game`
    Count { name: Name, of: Name, within: Name, cites: Cites },
    /// `var asked: side in game`, `var home per piece: square in game`
    Var {
        name: Name,
        per_side: bool,
        per_piece: bool,
        drawn: Option<String>,
        ty: Ty,
        range: Option<(i64, i64)>,
        init: Option<Expr>,
        within: Option<Name>,
        cites: Cites,
    },
    /// `event stolen(thief: square) " x {thief}"`
    Event { name: Name, params: Vec<Param>, notation: Option<Text>, cites: Cites },
    /// `phase offense of offense in turn`
    Phase { name: Name, side: Expr, within: Option<Name>, cites: Cites },
    /// `define lane(a: square, b: square) = …`, or with a block of effects
    Define { name: Name, params: Vec<Param>, body: DefineBody, cites: Cites },
    /// `define action pass(…) "…" { … }`
    DefineAction { name: Name, params: Vec<Param>, notation: Text, body: Block, cites: Cites },
    /// `define rule … when … { … }`
    DefineRule { name: Name, params: Vec<Param>, when: When, cites: Cites },
    /// `action hold in offense, ball "hold" { … }`
    Action { name: Name, otherwise: bool, phases: Vec<Name>, body: ActionBody, cites: Cites },
    /// `rule debts when turn ends { … }`
    Rule { name: Name, after: Vec<Name>, before: Vec<Name>, body: RuleBody, cites: Cites },
    /// `law safe in play = … "why"`
    Law { name: Name, phases: Vec<Name>, test: Expr, cites: Cites },
    /// `history seen of play = men, turn_of`
    History { name: Name, phase: Name, parts: Vec<Name>, cites: Cites },
    /// `position line in play { … }`
    Position { name: Name, phase: Option<Name>, fields: Vec<Field> },
    /// `start line "…"`
    Start { name: Name, text: Text },
    /// `notation short of step { … }`
    Notation { name: Name, action: Name, block: NotationBlock },
    /// `record page of short between ", " { … } results "1-0" | "0-1"`
    Record { name: Name, notation: Name, between: Text, block: NotationBlock, results: Vec<Text> },
    /// `stat per piece points, ones`
    Stat { per_piece: bool, names: Vec<Name>, cites: Cites },
    /// `recall passer`
    Recall { name: Name },
    /// `tally passing when passed(a, b) { … }`
    Tally { name: Name, when: When, cites: Cites },
    /// `show handler = handler if …`
    Show { name: Name, value: Expr, guard: Option<Expr> },
    /// `invariant one_slider = …`
    Invariant { name: Name, value: Expr, cites: Cites },
    /// `replace ITEM`
    Replace { item: Box<Item> },
    /// `add ITEM`
    Add { item: Box<Item> },
    /// `without rule sudden`, `without sudden`: the last name, with what kind of item it is before it where that was said
    Without { what: Option<Name>, name: Name },
}

/// Text in quotes with its place (the quotes not included).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionDomain {
    /// A number from a range, or one of some words.
    Range { default: i64, low: i64, high: i64, words: Vec<Name>, span: Span },
    /// One of some words, the first being the default.
    Words(Vec<Name>),
}

/// What a setup parameter gives.
#[derive(Clone, Debug)]
pub enum Setup {
    /// Pieces for each side, read by a template of counts and literal texts.
    Lineup { default: Text, parts: Vec<SetupPart> },
    /// A side; `None`: drawn by the seed.
    Side { default: Option<Name> },
}

/// A part of a line-up's template.
#[derive(Clone, Debug)]
pub enum SetupPart {
    /// A literal text.
    Literal(Text),
    /// So many letters of pieces, put into that reserve.
    Pieces { count: i64, reserve: Name },
}

/// A function that a plugin exports.
#[derive(Clone, Debug)]
pub struct PluginFn {
    /// Its name.
    pub name: Name,
    /// Parameter types.
    pub params: Vec<Ty>,
    /// Result type.
    pub result: Ty,
}

/// A type as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// One square or none.
    Square,
    /// A set of squares.
    Squares,
    /// A side.
    Side,
    /// A kind of piece.
    Kind,
    /// A whole number.
    Number,
    /// Yes or no.
    Test,
}

/// A parameter of a definition or an event.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type; `None`: a block of effects.
    pub ty: Option<Ty>,
    /// `squares(who, to)`: the argument is the name of a definition with so many parameters.
    pub over: Vec<Name>,
}

/// A geometry of a kind of piece.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The geometry.
    pub name: Name,
    /// Further geometries that it gives, each what the others leave out.
    pub others: Vec<Name>,
    /// Its branches in order.
    pub branches: Vec<Branch>,
}

/// A branch of a geometry.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its label.
    pub label: Option<Name>,
    /// Its squares.
    pub value: Expr,
    /// When it exists.
    pub guard: Option<Expr>,
}

/// What a definition stands for.
#[derive(Clone, Debug)]
pub enum DefineBody {
    /// A value.
    Value(Expr),
    /// Effects.
    Effects(Block),
}

/// Where an action's steps come from.
#[derive(Clone, Debug)]
pub enum ActionBody {
    /// Written out.
    Steps { notation: Text, block: Block },
    /// Made from a `define action`.
    Made { from: Name, args: Vec<Arg> },
}

/// Where a rule comes from.
#[derive(Clone, Debug)]
pub enum RuleBody {
    /// Written out.
    When(When),
    /// Made from a `define rule`.
    Made { from: Name, args: Vec<Arg> },
}

/// A trigger, a guard and effects.
#[derive(Clone, Debug)]
pub struct When {
    /// Any of these.
    pub triggers: Vec<Trigger>,
    /// And this.
    pub guard: Option<Expr>,
    /// Then these.
    pub block: Block,
}

/// What starts a rule.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: TriggerKind,
}

/// What starts a rule.
#[derive(Clone, Debug)]
pub enum TriggerKind {
    /// `at once`: judged after every action and its reactions.
    AtOnce,
    /// An event, with names for its values.
    Event { name: Name, binders: Vec<Name> },
    /// A clock that runs out.
    RunsOut { clock: Name },
    /// A span that begins.
    Begins { span: Name },
    /// A span that ends.
    Ends { span: Name },
    /// A count that has gone up.
    Counted { count: Name },
    /// A phase that has begun and in which nothing is legal.
    Stuck { phase: Name },
    /// A phase that has begun and is to be played.
    Opens { phase: Name },
}

/// Statements in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// With the braces.
    pub span: Span,
    /// In order.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `choose to in SET §5 "why not"`
    Choose { name: Name, domain: Expr, cites: Cites },
    /// `need TEST §5 "why"`
    Need { test: Expr, cites: Cites },
    /// `let x = EXPR`
    Let { name: Name, value: Expr },
    /// `if TEST { } else if TEST { } else { }`
    If { arms: Vec<(Expr, Block)>, otherwise: Option<Block> },
    /// `for each side s { }`
    ForSides { name: Name, block: Block },
    /// `for p in SET { }`
    For { name: Name, domain: Expr, block: Block },
    /// `move each p in SET to B`
    MoveEach { name: Name, domain: Expr, to: Expr },
    /// `move A to B`
    Move { from: Expr, to: Expr },
    /// `put KIND of SIDE on SQUARE`
    Put { kind: Expr, side: Expr, on: Expr },
    /// `remove SQUARE`
    Remove { square: Expr },
    /// `mark SET as NAME`
    Mark { squares: Expr, mark: Name },
    /// `unmark SET as NAME`
    Unmark { squares: Expr, mark: Name },
    /// `set PLACE to EXPR`
    Set { target: Lvalue, value: Expr },
    /// `add EXPR to PLACE`
    Add { value: Expr, target: Lvalue },
    /// `take EXPR from PLACE`
    Take { value: Expr, target: Lvalue },
    /// `tick CLOCK`
    Tick { clock: Name },
    /// `report EVENT(…)`
    Report { event: Name, args: Vec<Expr> },
    /// `begin SPAN for SIDE`
    Begin { what: Name, side: Option<Expr> },
    /// `end SPAN`
    End { what: Name },
    /// `go PHASE`
    Go { phase: Name },
    /// `win SIDE`
    Win { side: Expr },
    /// `award SIDE`: the result becomes a win of this side whatever it was
    Award { side: Expr },
    /// `draw`
    Draw,
    /// `recall NAME as SQUARE`
    Recall { name: Name, value: Expr },
    /// `forget NAME`
    Forget { name: Name },
    /// A use of a definition of effects.
    Call { name: Name, args: Vec<Arg> },
}

/// What is written to: a name, perhaps `of` something.
#[derive(Clone, Debug)]
pub struct Lvalue {
    /// The name.
    pub name: Name,
    /// The side or square.
    pub of: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// An argument: an expression or a block of effects.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A value.
    Expr(Expr),
    /// Effects.
    Block(Block),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: Box<ExprKind>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CmpOp {
    /// `=`, `is`
    Eq,
    /// `!=`, `is not`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
}

/// A sign of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded toward zero
    Div,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// `d4`
    Square(String),
    /// `c1..f2`
    Rectangle(String, String),
    /// A name or a call; `of x` is a call with one argument. `branch`: `moves.burst of x`
    Call { name: Name, branch: Option<Name>, args: Option<Vec<Arg>> },
    /// `option.arc`
    Option(Name),
    /// `a or b or …`: two or more.
    Or(Vec<Expr>),
    /// `a and b and …`: two or more.
    And(Vec<Expr>),
    /// `not a`
    Not(Expr),
    /// `a < b`
    Compare { op: CmpOp, left: Expr, right: Expr },
    /// `option.x is word`: the right side may be an option's word that is no valid expression otherwise; parse.rs makes
    /// this node whenever the left side is an `option.` reference and the operator is `is` or `is not`.
    OptionIs { option: Name, not: bool, word: Name },
    /// `a + b`
    Arith { op: ArithOp, left: Expr, right: Expr },
    /// `-a`
    Negate(Expr),
    /// `some S`
    Some(Expr),
    /// `no S`
    No(Expr),
    /// `count S`
    Count(Expr),
    /// `if t then a else b`
    If { test: Expr, then: Expr, otherwise: Expr },
    /// `those d in S with T`
    Those { name: Name, domain: Expr, test: Expr },
    /// `the d in S by K, order`; `None`: `order`
    The { name: Name, domain: Expr, keys: Vec<Option<Expr>> },
    /// `step any then turning step any through S from X`
    Geo { legs: Vec<Leg>, through: Option<Expr>, from: Option<Expr> },
    /// `betza "mWcF"`
    Betza(Text),
    /// `kinds with TRAIT`
    KindsWith(Name),
    /// `kinds(A, B)`
    Kinds(Vec<Name>),
    /// `ranks a..b` (the same twice for `rank a`)
    Ranks(Expr, Expr),
    /// `files a..b`
    Files(Expr, Expr),
    /// `middle 2 files`
    Middle { count: i64, files: bool },
    /// `edge files`
    Edge { files: bool },
}

/// A leg of a path.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: LegKind,
    /// It must go in another direction than the leg before.
    pub turning: bool,
}

/// What a leg is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LegKind {
    /// `leap 1 2`
    Leap(i64, i64),
    /// One or more steps in one direction.
    Steps {
        /// Directions.
        dirs: Dirs,
        /// At least so many.
        min: i64,
        /// At most so many; `None`: to the edge.
        max: Option<i64>,
        /// Pieces do not stop it (`ray`).
        free: bool,
    },
}

/// A set of directions; `forward` and the like as seen by the piece's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dirs {
    /// All eight.
    Any,
    /// The four along files and ranks.
    Straight,
    /// The four diagonals.
    Diagonal,
    /// Straight ahead.
    Forward,
    /// Straight back.
    Back,
    /// Left and right.
    Sideways,
    /// The two diagonals ahead: `askew`.
    Askew,
    /// Forward and the two diagonals ahead: `ahead`.
    Ahead,
}
