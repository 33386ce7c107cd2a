//! The graph as text: for Graphviz, and as JSON.

use petgraph::visit::EdgeRef;
use serde_json::{Value as Json, json};

use super::{Node, RuleGraph, Tie};

impl Node {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Node::Phase(name)
            | Node::Action(name)
            | Node::Rule(name)
            | Node::Event(name)
            | Node::Span(name)
            | Node::Clock(name)
            | Node::Value(name)
            | Node::Law(name)
            | Node::History(name)
            | Node::Option(name) => name,
            Node::Result => "result",
        }
    }

    fn look(&self) -> (&'static str, &'static str) {
        match self {
            Node::Phase(_) => ("phase", "box"),
            Node::Action(_) => ("action", "ellipse"),
            Node::Rule(_) => ("rule", "hexagon"),
            Node::Event(_) => ("event", "note"),
            Node::Span(_) => ("span", "tab"),
            Node::Clock(_) => ("clock", "circle"),
            Node::Value(_) => ("value", "cylinder"),
            Node::Option(_) => ("option", "diamond"),
            Node::Law(_) => ("law", "octagon"),
            Node::History(_) => ("history", "folder"),
            Node::Result => ("result", "doublecircle"),
        }
    }
}

impl Tie {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tie::Offers => "offers",
            Tie::Binds => "binds",
            Tie::Sees => "sees",
            Tie::Reports => "reports",
            Tie::Starts => "starts",
            Tie::Goes => "goes",
            Tie::Begins => "begins",
            Tie::Ends => "ends",
            Tie::Ticks => "ticks",
            Tie::Reads => "reads",
            Tie::Writes => "writes",
            Tie::Decides => "decides",
            Tie::Before => "before",
        }
    }
}

impl RuleGraph {
    /// The graph in Graphviz' language.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out = String::from("digraph rules {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
        for index in self.graph.node_indices() {
            let node = &self.graph[index];
            let (kind, shape) = node.look();
            let name = node.name().replace('"', "'");
            out.push_str(&format!("  n{} [label=\"{name}\\n({kind})\", shape={shape}];\n", index.index()));
        }
        for edge in self.graph.edge_references() {
            let style = match edge.weight() {
                Tie::Reads => ", style=dotted",
                Tie::Before => ", style=dashed",
                _ => "",
            };
            let (from, to) = (edge.source().index(), edge.target().index());
            out.push_str(&format!("  n{from} -> n{to} [label=\"{}\"{style}];\n", edge.weight().name()));
        }
        out.push_str("}\n");
        out
    }

    /// The graph as nodes and edges.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let nodes: Vec<Json> = self
            .graph
            .node_indices()
            .map(|index| json!({"id": index.index(), "kind": self.graph[index].look().0, "name": self.graph[index].name()}))
            .collect();
        let edges: Vec<Json> = self
            .graph
            .edge_references()
            .map(
                |edge| json!({"from": edge.source().index(), "to": edge.target().index(), "tie": edge.weight().name()}),
            )
            .collect();
        json!({"nodes": nodes, "edges": edges})
    }
}
