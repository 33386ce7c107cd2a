//! What grammar rules are called in messages, and which words the language keeps for itself.
//!
//! In: rules that pest expected. Out: words for people: `` `in` ``, `a name`, `a value`.

use super::rules::Rule;

/// First words of items.
pub const ITEM_WORDS: &[&str] = &[
    "language",
    "ruleset",
    "extends",
    "use",
    "side",
    "board",
    "zone",
    "option",
    "setup",
    "reserve",
    "plugin",
    "geometry",
    "trait",
    "piece",
    "span",
    "mark",
    "counter",
    "clock",
    "latch",
    "count",
    "var",
    "event",
    "phase",
    "define",
    "action",
    "otherwise",
    "rule",
    "law",
    "history",
    "stat",
    "recall",
    "tally",
    "show",
    "invariant",
    "position",
    "start",
    "notation",
    "record",
    "set",
    "replace",
    "add",
    "without",
];

/// First words of statements; all of them are reserved.
const STATEMENT_WORDS: &[&str] = &[
    "choose", "need", "let", "if", "for", "move", "put", "remove", "mark", "unmark", "set", "add", "take", "tick",
    "report", "begin", "end", "go", "win", "award", "draw", "recall", "forget",
];

/// Words that go on with what stands before them: no item begins with one, wherever its line begins.
const GOING_ON: &[&str] = &[
    "after", "against", "and", "as", "before", "between", "by", "drawn", "else", "exactly", "from", "if", "in", "is",
    "not", "of", "on", "opens", "or", "results", "stuck", "then", "through", "to", "turning", "up", "when", "while",
    "with",
];

/// Other reserved words; see `reserved` in the grammar.
const OTHER_RESERVED: &[&str] = &[
    "action",
    "and",
    "as",
    "count",
    "define",
    "each",
    "else",
    "event",
    "false",
    "in",
    "is",
    "none",
    "not",
    "no",
    "of",
    "option",
    "order",
    "or",
    "otherwise",
    "phase",
    "replace",
    "rule",
    "some",
    "tally",
    "then",
    "those",
    "the",
    "true",
    "when",
    "without",
    "with",
    "zone",
];

/// Whether an item begins with this word.
pub(super) fn is_item_word(word: &str) -> bool {
    ITEM_WORDS.contains(&word)
}

/// Whether a statement begins with this word.
pub(super) fn is_statement_word(word: &str) -> bool {
    STATEMENT_WORDS.contains(&word)
}

/// First words of statements.
pub(super) fn statement_words() -> impl Iterator<Item = &'static str> {
    STATEMENT_WORDS.iter().copied()
}

/// Whether this word goes on with what stands before it.
pub(super) fn goes_on(word: &str) -> bool {
    GOING_ON.contains(&word)
}

/// Whether something must follow this word or sign, so that no item begins after it.
pub(super) fn is_unfinished(token: &str) -> bool {
    const WORDS: &[&str] = &["add", "define", "no", "otherwise", "per", "replace", "some", "without"];
    const SIGNS: &[&str] = &["=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", ",", ":", "|", "(", "{", "..", "."];
    WORDS.contains(&token)
        || SIGNS.contains(&token)
        || (goes_on(token) && !matches!(token, "from" | "to" | "by" | "back"))
}

/// Whether a word belongs to the language and cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    STATEMENT_WORDS.contains(&word) || OTHER_RESERVED.contains(&word)
}

/// The words and signs that are rules of the grammar, each with its spelling.
macro_rules! keywords {
    ($($rule:ident $text:literal,)*) => {
        /// The spelling of a word or sign that is a rule of its own.
        pub(super) fn keyword(rule: Rule) -> Option<&'static str> {
            match rule {
                $(Rule::$rule => Some($text),)*
                _ => None,
            }
        }
    };
}

keywords! {
    k_action "action",
    k_add "add",
    k_after "after",
    k_against "against",
    k_and "and",
    k_as "as",
    k_at "at",
    k_before "before",
    k_begin "begin",
    k_begins "begins",
    k_between "between",
    k_betza "betza",
    k_empty "empty",
    k_history "history",
    k_kinds "kinds",
    k_law "law",
    k_men "men",
    k_notation "notation",
    k_opens "opens",
    k_position "position",
    k_record "record",
    k_results "results",
    k_start "start",
    k_board "board",
    k_by "by",
    k_choose "choose",
    k_clock "clock",
    k_count "count",
    k_counted "counted",
    k_counter "counter",
    k_define "define",
    k_draw "draw",
    k_drawn "drawn",
    k_each "each",
    k_edge "edge",
    k_effect "effect",
    k_else "else",
    k_end "end",
    k_ends "ends",
    k_event "event",
    k_exactly "exactly",
    k_extends "extends",
    k_faces "faces",
    k_file "file",
    k_files "files",
    k_for "for",
    k_forget "forget",
    k_from "from",
    k_geometry "geometry",
    k_go "go",
    k_if "if",
    k_in "in",
    k_invariant "invariant",
    k_is "is",
    k_language "language",
    k_latch "latch",
    k_leap "leap",
    k_let "let",
    k_mark "mark",
    k_middle "middle",
    k_move "move",
    k_need "need",
    k_not "not",
    k_of "of",
    k_on "on",
    k_once "once",
    k_one "one",
    k_option "option",
    k_order "order",
    k_otherwise "otherwise",
    k_out "out",
    k_award "award",
    k_per "per",
    k_phase "phase",
    k_piece "piece",
    k_plugin "plugin",
    k_put "put",
    k_random "random",
    k_rank "rank",
    k_ranks "ranks",
    k_recall "recall",
    k_remove "remove",
    k_replace "replace",
    k_report "report",
    k_reserve "reserve",
    k_rule "rule",
    k_ruleset "ruleset",
    k_runs "runs",
    k_set "set",
    k_setup "setup",
    k_show "show",
    k_side "side",
    k_span "span",
    k_stat "stat",
    k_stuck "stuck",
    k_take "take",
    k_tally "tally",
    k_the "the",
    k_then "then",
    k_those "those",
    k_through "through",
    k_tick "tick",
    k_to "to",
    k_trait "trait",
    k_turning "turning",
    k_unmark "unmark",
    k_up "up",
    k_use "use",
    k_var "var",
    k_when "when",
    k_while "while",
    k_win "win",
    k_with "with",
    k_without "without",
    k_x "x",
    k_zone "zone",
    k_open "(",
    k_close ")",
    k_begin_block "{",
    k_end_block "}",
    k_comma ",",
    k_colon ":",
    k_to_sign "..",
    k_dot ".",
    k_bar "|",
    k_equals "=",
}

/// The words of a rule that is a choice among some.
pub(super) fn choices(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::ty | Rule::param_type | Rule::var_type => &["square", "squares", "side", "kind", "number", "test"],
        Rule::geo_dirs => &["any", "straight", "diagonal", "forward", "back", "sideways", "ahead", "askew"],
        Rule::middle_what => &["ranks", "files"],
        Rule::men_way => &["down", "up"],
        _ => &[],
    }
}

/// What a rule is called in `expected …`.
pub(super) fn describe(rule: Rule) -> String {
    if let Some(text) = keyword(rule) {
        return format!("`{text}`");
    }
    let words = match rule {
        Rule::name | Rule::trait_use => "a name",
        Rule::word => "a word",
        Rule::number => "a number",
        Rule::string => "text in double quotes",
        Rule::square => "a square",
        Rule::path => "the name of a file",
        Rule::cite | Rule::cites => "a paragraph such as `§5`",
        Rule::item => "an item",
        Rule::EOI => "the end of the item",
        Rule::statement => "a statement",
        Rule::block | Rule::body => "`{`",
        Rule::attribute => "a geometry",
        Rule::branch
        | Rule::arg
        | Rule::key
        | Rule::expr
        | Rule::and_expr
        | Rule::not_expr
        | Rule::comparison
        | Rule::sum
        | Rule::product
        | Rule::unary
        | Rule::primary
        | Rule::literal
        | Rule::call
        | Rule::geo
        | Rule::betza
        | Rule::kind_set
        | Rule::put_kind => "a value",
        Rule::or_op
        | Rule::and_op
        | Rule::not_op
        | Rule::cmp_op
        | Rule::sum_op
        | Rule::mul_op
        | Rule::is_word
        | Rule::le_op
        | Rule::ge_op
        | Rule::ne_op
        | Rule::eq_op
        | Rule::lt_op
        | Rule::gt_op
        | Rule::prefix => "an operator",
        Rule::ty | Rule::param_type | Rule::var_type => {
            "a type (`square`, `squares`, `side`, `kind`, `number`, `test`)"
        }
        Rule::param => "a parameter",
        Rule::params | Rule::args | Rule::binders => "`(`",
        Rule::made_from => "`=`",
        Rule::trigger | Rule::triggers => "what starts the rule",
        Rule::lvalue => "a name",
        Rule::option_range | Rule::option_words => "a default",
        Rule::setup_part => "a part of the line-up",
        Rule::setup_lineup => "`per side`",
        Rule::per_side => "`per`",
        Rule::drawn => "`drawn`",
        Rule::in_span => "`in`",
        Rule::span_owner | Rule::of_arg => "`of`",
        Rule::guard => "`if`",
        Rule::mark_one => "`one`",
        Rule::ordering => "`after`",
        Rule::stat_piece => "`piece`",
        Rule::stat_side => "`side`",
        Rule::elif | Rule::els => "`else`",
        Rule::beyond => "`and`",
        Rule::branch_ref => "`.`",
        Rule::geo_dirs => {
            "a direction (`any`, `straight`, `diagonal`, `forward`, `back`, `sideways`, `ahead`, `askew`)"
        }
        Rule::geo_leg | Rule::geo_step | Rule::geo_verb => "`step`, `slide`, `ray` or `leap`",
        Rule::geo_limit => "`exactly`",
        Rule::geo_then | Rule::conditional => "`then`",
        Rule::geo_turning => "`turning`",
        Rule::geo_through => "`through`",
        Rule::geo_from => "`from`",
        Rule::middle_what => "`ranks` or `files`",
        Rule::without_what => "an item word",
        Rule::history_part => "a part of the position",
        Rule::field | Rule::field_value | Rule::field_name | Rule::field_men | Rule::field_text => {
            "a field (text in quotes, `men` or the name of a value)"
        }
        Rule::field_words | Rule::field_flags | Rule::field_flag => "text in double quotes",
        Rule::men_way => "`down` or `up`",
        Rule::men_count => "`count`",
        Rule::field_between => "`between`",
        Rule::field_else | Rule::n_else | Rule::n_elif => "`else`",
        Rule::n_block => "`{`",
        Rule::n_step => "text in double quotes, `if` or `let`",
        Rule::n_if => "`if`",
        Rule::n_let => "`let`",
        Rule::n_after => "`after`",
        Rule::record_results => "`results`",
        Rule::law_text => "text in double quotes",
        Rule::kinds_with => "`with`",
        Rule::per_piece => "`per`",
        _ => return format!("{rule:?}").replace('_', " "),
    };
    words.to_string()
}
