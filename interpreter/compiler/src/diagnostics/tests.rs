//! Tests of the diagnostics.

use super::*;

fn sources(text: &str) -> (Sources, FileId) {
    let mut sources = Sources::new();
    let file = sources.add("yard.court", text);
    (sources, file)
}

#[test]
fn the_nearest_name_is_found() {
    let names = ["zone", "piece", "possession", "Slider"];
    assert_eq!(nearest("zoen", names), Some("zone"));
    assert_eq!(nearest("posession", names), Some("possession"));
    assert_eq!(nearest("slider", names), Some("Slider"));
    assert_eq!(nearest("Piece", names), Some("piece"));
    assert_eq!(nearest("elephant", names), None);
    assert_eq!(nearest("x", names), None);
    assert_eq!(nearest("", names), None);
    assert_eq!(nearest(&"z".repeat(100_000), names), None);
}

#[test]
fn places_count_characters() {
    let (sources, file) = sources("side §8\nrule é x\n");
    let at = Span::new(file, 17, 18);
    assert_eq!(sources.slice(at), "x");
    assert_eq!(sources.place(at), "yard.court:2:8");
    assert_eq!(sources.line_col(Span::new(file, 0, 0)), (1, 1));
}

#[test]
fn any_span_has_a_place() {
    for text in ["", "§", "a\n", "é\né"] {
        let (sources, file) = sources(text);
        for start in 0..8 {
            for end in 0..8 {
                let span = Span { file, start, end };
                let label = Span { file: FileId(7), start: end, end: start };
                let problem = Problem::error("syntax", span, "found nothing")
                    .label(span, "here")
                    .label(label, "and here")
                    .fix(span, "x");
                assert!(sources.place(span).starts_with("yard.court:"));
                for coloured in [false, true] {
                    assert!(render::to_text(&problem, &sources, coloured).contains("found nothing"));
                }
                assert_eq!(render::to_json(&problem, &sources)["file"], "yard.court");
            }
        }
    }
}

#[test]
fn text_and_json_say_the_same() {
    let (sources, file) = sources("zone rim = a1\nzone rim = b1\n");
    let problem = Problem::error("syntax", Span::new(file, 19, 22), "`rim` is defined twice")
        .label(Span::new(file, 5, 8), "first defined here")
        .help("rename one of them");
    let text = render::to_text(&problem, &sources, false);
    let expected = "\
error[syntax]: `rim` is defined twice
 --> yard.court:2:6
  |
1 | zone rim = a1
  |      --- first defined here
2 | zone rim = b1
  |      ^^^
  |
  = help: rename one of them";
    assert_eq!(text, expected);
    let json = render::to_json(&problem, &sources);
    assert_eq!(json["line"], 2);
    assert_eq!(json["column"], 6);
    assert_eq!(json["end_column"], 9);
    assert_eq!(json["text"], "rim");
    assert_eq!(json["level"], "error");
    assert_eq!(json["labels"][0]["line"], 1);
}

#[test]
fn many_lines_are_underlined() {
    let (sources, file) = sources("rule a {\n  x\n}\n");
    let problem = Problem::warning("syntax", Span::new(file, 0, 14), "never fires");
    let text = render::to_text(&problem, &sources, false);
    assert!(text.starts_with("warning[syntax]: never fires"), "{text}");
}

#[test]
fn problems_are_sorted_and_each_once() {
    let (_, file) = sources("");
    let mut problems = Problems::new();
    problems.push(Problem::warning("syntax", Span::new(file, 9, 10), "later"));
    assert!(!problems.has_errors());
    problems.push(Problem::error("syntax", Span::new(file, 1, 2), "sooner"));
    problems.push(Problem::error("syntax", Span::new(file, 1, 2), "sooner"));
    assert!(problems.has_errors());
    let messages: Vec<String> = problems.into_sorted().into_iter().map(|problem| problem.message).collect();
    assert_eq!(messages, ["sooner", "later"]);
}

#[test]
fn each_code_is_declared_once() {
    for entry in CODES {
        assert_eq!(CODES.iter().filter(|other| other.code == entry.code).count(), 1);
        assert!(code(entry.code).is_some());
        assert!(entry.explanation.ends_with('.'));
    }
}
