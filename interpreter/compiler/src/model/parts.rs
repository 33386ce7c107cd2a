//! The second pass: values of zones, pieces, clocks and variables, phases, setup, what is shown.

use fullcourt_engine::board::Leg;
use fullcourt_engine::ir::{
    Branch, Expr, ExprId, InvariantDef, LatchDef, LineupPart, PhaseDef, SetupDef, SetupKind, ShowDef, Slot, SlotTy, Ty,
    ZoneId,
};
use petgraph::graph::DiGraph;

use super::scope::{Body, BodyKind, Check, Sym};
use super::types::origin;
use crate::diagnostics::{Problem, Span};
use crate::graph::refs;
use crate::syntax::ast::{Attribute, DefineBody, Item, ItemKind, Name, Setup, SetupPart};

impl<'a> Check<'a> {
    pub(super) fn parts(&mut self) {
        let items: &'a [Item] = &self.merged.items;
        self.zones(items);
        self.geometries(items);
        for item in items {
            self.part(item);
        }
        for item in items {
            if let ItemKind::Setup { name, what, cites } = &item.kind {
                let kind = self.setup(name, what);
                let (name, cite, text) = (name.text.clone(), cites.cite.clone(), cites.text.clone());
                self.rules.setups.extend(kind.map(|kind| SetupDef { name, cite, text, kind }));
            }
        }
    }

    fn shared(&mut self, body: &Body<'a>) {
        self.rules.shared_locals = self.rules.shared_locals.max(body.locals as usize);
    }

    /// Zones in such an order that each reads only those before it.
    fn zones(&mut self, items: &'a [Item]) {
        let zones: Vec<(usize, &Name, &crate::syntax::ast::Expr)> = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Zone { name, value, .. } => match self.symbols.get(&name.text) {
                    Some(&(Sym::Zone(index), span)) if span == name.span => Some((index, name, value)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        for (index, _, value) in &zones {
            let mut body = Body::new(BodyKind::Zone);
            body.written = self.rules.zones[*index].per_side;
            if let Some(id) = self.want(value, &mut body, Ty::Squares) {
                self.rules.zones[*index].value = id;
                if !self.is_static(id) {
                    let problem = Problem::error(
                        "wrong-type",
                        value.span,
                        "a zone is the same all the time; this changes with the position",
                    );
                    self.report(problem.help("make a `define` of it"));
                }
            }
            self.shared(&body);
        }
        let mut graph = DiGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..self.rules.zones.len()).map(|index| graph.add_node(index)).collect();
        for (index, zone) in self.rules.zones.iter().enumerate() {
            refs::exprs_below(&self.rules, zone.value, &mut |expr| {
                if let Expr::Zone(ZoneId(other), _) = expr
                    && let Some(&other) = nodes.get(*other as usize)
                {
                    graph.update_edge(other, nodes[index], ());
                }
            });
        }
        match petgraph::algo::toposort(&graph, None) {
            Ok(_) => {
                // As written where nothing is in the way: of zones that share a square the first is drawn.
                let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
                let ready = |zone: usize, order: &[usize]| {
                    let mut needs = graph.neighbors_directed(nodes[zone], petgraph::Direction::Incoming);
                    !order.contains(&zone) && needs.all(|need| order.contains(&graph[need]))
                };
                while let Some(next) = (0..nodes.len()).find(|&zone| ready(zone, &order)) {
                    order.push(next);
                }
                self.renumber_zones(&order);
            }
            Err(cycle) => {
                let zone = &self.rules.zones[graph[cycle.node_id()]];
                let (name, span) = (zone.name.clone(), super::types::span(zone.origin));
                self.error("circular", span, format!("the zone `{name}` is made of itself"));
            }
        }
    }

    fn renumber_zones(&mut self, order: &[usize]) {
        let mut new = vec![0; order.len()];
        for (rank, &old) in order.iter().enumerate() {
            new[old] = rank;
        }
        self.rules.zones = order.iter().map(|&old| self.rules.zones[old].clone()).collect();
        for expr in &mut self.rules.exprs {
            if let Expr::Zone(zone, _) = expr {
                *zone = ZoneId(new.get(zone.ix()).and_then(|&rank| u32::try_from(rank).ok()).unwrap_or(0));
            }
        }
        for (sym, _) in self.symbols.values_mut() {
            if let Sym::Zone(zone) = sym {
                *zone = new.get(*zone).copied().unwrap_or(0);
            }
        }
    }

    /// Whether an expression is the same in every position.
    fn is_static(&self, id: ExprId) -> bool {
        let mut fixed = true;
        refs::exprs_below(&self.rules, id, &mut |expr| {
            if let Expr::Path(path, _, None) = expr {
                fixed &= !stoppable(&self.rules.paths[path.ix()]);
            }
            fixed &= !matches!(
                expr,
                Expr::Empty
                    | Expr::Occupied
                    | Expr::SidePieces(_)
                    | Expr::KindPieces(_)
                    | Expr::TraitPieces(_)
                    | Expr::Plane(_)
                    | Expr::Slot(_)
                    | Expr::SlotOf(..)
                    | Expr::Counter(..)
                    | Expr::ReserveKinds(..)
                    | Expr::ReserveCount(..)
                    | Expr::SpanOwner(_)
                    | Expr::Me
                    | Expr::Winner
                    | Expr::Seen(_)
                    | Expr::Geometry(..)
                    | Expr::KindAt(_)
                    | Expr::OwnerAt(_)
                    | Expr::Recalled(_)
            );
        });
        fixed
    }

    /// Geometries of all kinds: as given, or as another geometry by default.
    fn geometries(&mut self, items: &'a [Item]) {
        let count = self.rules.geometries.len();
        let defaults: Vec<Option<&Name>> = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Geometry { default, .. } => Some(default.as_ref()),
                _ => None,
            })
            .collect();
        for item in items {
            let ItemKind::Piece { name, attributes, traits, .. } = &item.kind else { continue };
            let Some(&(Sym::Kind(kind), _)) = self.symbols.get(&name.text) else { continue };
            let Ok(kind) = usize::try_from(kind) else { continue };
            for used in traits {
                match self.symbols.get(&used.text) {
                    Some(&(Sym::Trait(id), _)) => self.rules.kinds[kind].traits.push(id),
                    _ => {
                        let known = self.rules.traits.clone();
                        self.unknown("trait", used, known.iter().map(String::as_str));
                    }
                }
            }
            let mut table: Vec<Option<Vec<Branch>>> = vec![None; count];
            for attribute in attributes {
                let Some(&(Sym::Geometry(geo), _)) = self.symbols.get(&attribute.name.text) else {
                    let known = self.rules.geometries.clone();
                    self.unknown("geometry", &attribute.name, known.iter().map(String::as_str));
                    continue;
                };
                if table[geo.ix()].is_some() {
                    let message = format!("`{}` says `{}` twice", name.text, attribute.name.text);
                    self.error("duplicate", attribute.name.span, message);
                }
                if attribute.others.is_empty() {
                    table[geo.ix()] = Some(self.branches(attribute));
                } else {
                    self.split_geometry(&name.text, attribute, geo.ix(), &mut table);
                }
            }
            for (geo, default) in defaults.iter().enumerate().take(count) {
                if let (None, Some(default)) = (&table[geo], default)
                    && let Some(&(Sym::Geometry(other), _)) = self.symbols.get(&default.text)
                {
                    table[geo] = table[other.ix()].clone();
                }
            }
            self.rules.kinds[kind].geometry = table.into_iter().map(Option::unwrap_or_default).collect();
        }
        for default in defaults.into_iter().flatten() {
            if !matches!(self.symbols.get(&default.text), Some((Sym::Geometry(_), _))) {
                let known = self.rules.geometries.clone();
                self.unknown("geometry", default, known.iter().map(String::as_str));
            }
        }
        for kind in &mut self.rules.kinds {
            kind.geometry.resize(count, Vec::new());
        }
        self.endless_geometry();
    }

    /// `moves, captures = betza "…"`: the first geometry is where the piece goes without taking, the second where it takes.
    fn split_geometry(
        &mut self,
        kind: &str,
        attribute: &'a Attribute,
        first: usize,
        table: &mut [Option<Vec<Branch>>],
    ) {
        let ([second], [branch]) = (attribute.others.as_slice(), attribute.branches.as_slice()) else {
            return self.error("wrong-type", attribute.name.span, "two geometries are given at once by `betza` alone");
        };
        let crate::syntax::ast::ExprKind::Betza(text) = &*branch.value.kind else {
            return self.error("wrong-type", branch.value.span, "two geometries are given at once by `betza` alone");
        };
        let Some(&(Sym::Geometry(other), _)) = self.symbols.get(&second.text) else {
            let known = self.rules.geometries.clone();
            return self.unknown("geometry", second, known.iter().map(String::as_str));
        };
        if table[other.ix()].is_some() || other.ix() == first {
            self.error("duplicate", second.span, format!("`{kind}` says `{}` twice", second.text));
        }
        for (geo, takes) in [(first, false), (other.ix(), true)] {
            let mut body = Body::new(BodyKind::Shared);
            let it = body.local();
            body.bind("it", it, Ty::Square);
            let guard = branch.guard.as_ref().map(|guard| self.want(guard, &mut body, Ty::Test));
            let part = super::betza::Use { quiet: !takes, takes };
            let Some(value) = self.betza(text, Some(part), branch.value.span, &mut body) else { return };
            self.shared(&body);
            if let Some(guard) = guard.map_or(Some(None), |guard| guard.map(Some)) {
                let label = branch.label.as_ref().map(|label| label.text.clone());
                table[geo] = Some(vec![Branch { label, it, guard, value: value.id }]);
            }
        }
    }

    /// Geometries that ask for themselves would never end.
    fn endless_geometry(&mut self) {
        let mut graph = DiGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..self.rules.geometries.len()).map(|geo| graph.add_node(geo)).collect();
        let mut places = vec![Span::default(); nodes.len()];
        for kind in &self.rules.kinds {
            for (geo, branches) in kind.geometry.iter().enumerate() {
                for branch in branches {
                    for id in branch.guard.into_iter().chain([branch.value]) {
                        refs::exprs_below(&self.rules, id, &mut |expr| {
                            if let Expr::Geometry(other, ..) = expr {
                                graph.update_edge(nodes[geo], nodes[other.ix()], ());
                                places[geo] = super::types::span(self.rules.expr_origins[id.ix()]);
                            }
                        });
                    }
                }
            }
        }
        if let Err(cycle) = petgraph::algo::toposort(&graph, None) {
            let geo = graph[cycle.node_id()];
            let message = format!("the geometry `{}` asks for itself", self.rules.geometries[geo]);
            self.error("circular", places[geo], message);
        }
    }

    fn branches(&mut self, attribute: &'a Attribute) -> Vec<Branch> {
        let mut out = Vec::new();
        for branch in &attribute.branches {
            let mut body = Body::new(BodyKind::Shared);
            let it = body.local();
            body.bind("it", it, Ty::Square);
            let guard = branch.guard.as_ref().map(|guard| self.want(guard, &mut body, Ty::Test));
            let value = self.want(&branch.value, &mut body, Ty::Squares);
            self.shared(&body);
            if let (Some(value), Some(guard)) = (value, guard.map_or(Some(None), |guard| guard.map(Some))) {
                out.push(Branch { label: branch.label.as_ref().map(|label| label.text.clone()), it, guard, value });
            }
        }
        out
    }

    /// The labels of branches that some kind has in a geometry.
    pub(super) fn branch_names(&self, geo: usize) -> Vec<String> {
        let name = &self.rules.geometries[geo];
        let pieces = self.merged.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Piece { attributes, .. } => Some(attributes),
            _ => None,
        });
        let branches = pieces.flatten().filter(|attribute| attribute.name.text == *name).flat_map(|a| &a.branches);
        branches.filter_map(|branch| branch.label.as_ref()).map(|label| label.text.clone()).collect()
    }

    fn part(&mut self, item: &'a Item) {
        let mut body = Body::new(BodyKind::Shared);
        match &item.kind {
            ItemKind::Clock { name, start, runs, .. } => {
                let start = self.want(start, &mut body, Ty::Number);
                let runs = runs.as_ref().and_then(|runs| self.want(runs, &mut body, Ty::Test));
                if let Some(&(Sym::Clock(id), _)) = self.symbols.get(&name.text) {
                    let slot = self.rules.clocks[id.ix()].slot;
                    self.rules.clocks[id.ix()].runs = runs;
                    self.init(slot, start, false);
                }
            }
            ItemKind::Latch { name, within, when, .. } => {
                let when = self.want(when, &mut body, Ty::Test);
                if let (Some(&(Sym::Scalar { slot, .. }, _)), Some(when)) = (self.symbols.get(&name.text), when)
                    && let Some(span) = self.spans.get_index_of(&within.text).and_then(|s| u32::try_from(s).ok())
                {
                    self.rules.latches.push(LatchDef { slot, span: fullcourt_engine::ir::SpanId(span), when });
                }
            }
            ItemKind::Var { name, init: Some(init), per_side, .. } => match self.symbols.get(&name.text) {
                Some(&(Sym::Scalar { slot, ty, .. }, _)) => {
                    let value = self.want(init, &mut body, ty);
                    self.init(slot, value, *per_side);
                }
                _ => self.error("wrong-type", init.span, "a set of squares begins empty; set it when its span begins"),
            },
            ItemKind::Event { name, notation: Some(text), .. } => {
                let Some(index) = self.events.get_index_of(&name.text) else { return };
                let params = self.rules.events[index].params.clone();
                let names: Vec<_> = (0u32..)
                    .zip(params)
                    .map(|(local, (name, ty))| (name, fullcourt_engine::ir::Local(local), ty))
                    .collect();
                let template = self.template(text, &names);
                self.rules.events[index].notation = Some(template);
            }
            ItemKind::Phase { name, side, within, cites } => {
                let side = self.want(side, &mut body, Ty::Side);
                let span = within.as_ref().and_then(|within| self.span_id(within));
                let side = side.unwrap_or_else(|| self.constant(-1));
                if self.phases.get(&name.text) == Some(&name.span) {
                    self.rules.phases.push(PhaseDef {
                        name: name.text.clone(),
                        side,
                        span,
                        actions: Vec::new(),
                        cite: cites.cite.clone(),
                        origin: origin(item.span),
                    });
                }
            }
            ItemKind::Show { name, value, guard } => self.show(name, value, guard.as_ref()),
            ItemKind::Invariant { name, value, cites } => {
                if let Some(test) = self.want(value, &mut body, Ty::Test) {
                    self.rules.invariants.push(InvariantDef {
                        name: name.text.clone(),
                        cite: cites.cite.clone(),
                        text: cites.text.clone(),
                        test,
                        locals: body.locals as usize,
                        origin: origin(item.span),
                    });
                }
            }
            _ => {}
        }
        self.shared(&body);
    }

    fn init(&mut self, slot: Slot, value: Option<ExprId>, per_side: bool) {
        let Some(value) = value else { return };
        let count = if per_side { self.rules.sides.len() } else { 1 };
        for more in 0..count {
            if let Some(def) = self.rules.slots.get_mut(slot.plus(more).ix()) {
                def.init = value;
            }
        }
    }

    fn show(&mut self, name: &Name, value: &'a crate::syntax::ast::Expr, guard: Option<&'a crate::syntax::ast::Expr>) {
        let mut body = Body::new(BodyKind::Shared);
        let typed = self.expr(value, &mut body);
        let guard = guard.map(|guard| self.want(guard, &mut body, Ty::Test));
        const TAKEN: [&str; 10] =
            ["score", "to_act", "phase", "over", "winner", "result", "pieces", "spans", "vars", "reserves"];
        if TAKEN.contains(&name.text.as_str()) {
            self.error("duplicate", name.span, format!("every state shows `{}` already", name.text));
        }
        if let (Some(typed), Some(guard)) = (typed, guard.map_or(Some(None), |guard| guard.map(Some))) {
            self.rules.shows.push(ShowDef {
                name: name.text.clone(),
                ty: typed.ty,
                value: typed.id,
                guard,
                locals: body.locals as usize,
            });
        }
    }

    fn setup(&mut self, name: &Name, what: &Setup) -> Option<SetupKind> {
        match what {
            Setup::Side { default } => {
                let Some(&(Sym::Scalar { slot, .. }, _)) = self.symbols.get(&name.text) else { return None };
                let default = match default {
                    None => None,
                    Some(side) => match self.symbols.get(&side.text) {
                        Some(&(Sym::Side(index), _)) => u8::try_from(index).ok(),
                        _ => {
                            let known: Vec<String> = self.rules.sides.iter().map(|side| side.name.clone()).collect();
                            self.unknown("side", side, known.iter().map(String::as_str).chain(["random"]));
                            return None;
                        }
                    },
                };
                debug_assert_eq!(self.rules.slots[slot.ix()].ty, SlotTy::Side);
                Some(SetupKind::Side { slot, default })
            }
            Setup::Lineup { default, parts } => {
                let mut out = Vec::new();
                for part in parts {
                    match part {
                        SetupPart::Literal(text) => out.push(LineupPart::Text(text.text.clone())),
                        SetupPart::Pieces { count, reserve } => {
                            let Some(&(Sym::Reserve(id), _)) = self.symbols.get(&reserve.text) else {
                                let known: Vec<String> = self.rules.reserves.iter().map(|r| r.name.clone()).collect();
                                self.unknown("reserve", reserve, known.iter().map(String::as_str));
                                return None;
                            };
                            let Some(count) = u32::try_from(*count).ok().filter(|count| (1..=512).contains(count))
                            else {
                                self.error("wrong-value", reserve.span, "a line-up takes from 1 to 512 pieces");
                                return None;
                            };
                            out.push(LineupPart::Pieces(count, id));
                        }
                    }
                }
                if let Err(wrong) = fullcourt_engine::tally::lineup_kinds(&self.rules, &out, &default.text) {
                    self.error("wrong-value", default.span, format!("the default does not fit: {wrong}"));
                }
                Some(SetupKind::Lineup { default: default.text.clone(), parts: out })
            }
        }
    }

    /// The items that are definitions, those that are used before those that use them. `None` when definitions are made
    /// of themselves, which is reported.
    pub(super) fn definition_order(&mut self) -> Option<Vec<usize>> {
        let items: &'a [Item] = &self.merged.items;
        let mut graph = DiGraph::<usize, Span>::new();
        let mut nodes = indexmap::IndexMap::new();
        for (index, item) in items.iter().enumerate() {
            if let ItemKind::Define { name, .. } = &item.kind {
                nodes.entry(name.text.as_str()).or_insert_with(|| graph.add_node(index));
            }
        }
        for item in items {
            let ItemKind::Define { name, body, .. } = &item.kind else { continue };
            let from = nodes[name.text.as_str()];
            let mut used = Vec::new();
            match body {
                DefineBody::Value(value) => crate::syntax::names::in_expr(value, &mut used),
                DefineBody::Effects(block) => crate::syntax::names::in_block(block, &mut used),
            }
            for other in used {
                if let Some(&to) = nodes.get(other.text.as_str()) {
                    graph.add_edge(from, to, other.span);
                }
            }
        }
        let mut ends = true;
        let mut order = Vec::new();
        for circle in petgraph::algo::tarjan_scc(&graph) {
            let first = circle.iter().copied().min_by_key(|&node| graph[node]);
            let Some(first) = first else { continue };
            order.extend(circle.iter().map(|&node| graph[node]));
            let inner = graph.edges(first).find(|edge| circle.contains(&petgraph::visit::EdgeRef::target(edge)));
            if let Some(edge) = inner {
                ends = false;
                let names: Vec<&str> = circle
                    .iter()
                    .filter_map(|&node| self.define(graph[node]).map(|(.., name)| name.text.as_str()))
                    .collect();
                let message = format!("definitions are made of themselves: {}", names.join(", "));
                self.error("circular", *edge.weight(), message);
            }
        }
        ends.then_some(order)
    }
}

/// Whether pieces can stop a path: it takes more than one step, and not through anything.
fn stoppable(legs: &[Leg]) -> bool {
    let held_up = |leg: &Leg| match leg {
        Leg::Steps { free, max, .. } => !free && (*max > 1 || legs.len() > 1),
        Leg::Leap(..) => legs.len() > 1,
        Leg::Ride { max, .. } => *max > 1 || legs.len() > 1,
    };
    legs.iter().any(held_up)
}
