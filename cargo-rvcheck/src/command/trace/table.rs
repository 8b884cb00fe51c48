//! The events of traces as a table in a Parquet file, where rvcheck was built to write one.

use crate::check::Traces;
use crate::error::Result;
use rvcheck_event::declared::Declared;
use std::io::{self, Write};

/// Refuses to write one where that cannot be done.
#[cfg(not(feature = "parquet"))]
pub(super) fn check() -> Result<()> {
    let message = "this rvcheck was built without the feature `parquet`, which writes this format\n\
        `cargo install --path cargo-rvcheck --locked --features parquet` builds one with it";
    Err(crate::error::Expected::Configuration(message.to_owned()))
}

/// Writes the table.
#[cfg(not(feature = "parquet"))]
pub(super) fn write(
    _: &Traces,
    _: &[Declared],
    _: Option<u64>,
    _: &mut (dyn Write + Send),
) -> Result<io::Result<()>> {
    check().map(Ok)
}

#[cfg(feature = "parquet")]
pub(super) use with_feature::{check, write};

#[cfg(feature = "parquet")]
mod with_feature {
    use super::{Declared, Result, Traces, Write, io};
    use crate::check::{Labels, OpenTrace};
    use rvcheck_event::event::Event;
    use rvcheck_event::jsonl;
    use rvcheck_event::kind::Sort;
    use rvcheck_event::value::Value;
    use rvcheck_event::world::World;
    use rvcheck_parquet::{Cell, Column, Kind, Table};
    use std::ops::ControlFlow;

    /// The columns, in order; `docs/viewers.md` describes them.
    const COLUMNS: [Column; 20] = [
        column("process", Kind::Int32, false),
        column("process_name", Kind::Text, false),
        column("number", Kind::Int64, false),
        column("time", Kind::Int64, false),
        column("at", Kind::Moment, true),
        column("event", Kind::Text, false),
        column("test", Kind::Text, true),
        column("thread", Kind::Int32, true),
        column("task", Kind::Int32, true),
        column("task_name", Kind::Text, true),
        column("object_sort", Kind::Text, true),
        column("object", Kind::Int32, true),
        column("object_name", Kind::Text, true),
        column("amount", Kind::Int64, true),
        column("ns", Kind::Int64, true),
        column("cpu", Kind::Int64, true),
        column("file", Kind::Text, true),
        column("line", Kind::Int32, true),
        column("column", Kind::Int32, true),
        column("json", Kind::Json, false),
    ];

    const fn column(name: &'static str, kind: Kind, optional: bool) -> Column {
        Column { name, kind, optional }
    }

    /// It can be written.
    #[expect(clippy::unnecessary_wraps, reason = "without the feature it is an error")]
    pub(in super::super) fn check() -> Result<()> {
        Ok(())
    }

    /// Writes the table.
    pub(in super::super) fn write(
        traces: &Traces,
        declared: &[Declared],
        limit: Option<u64>,
        out: &mut (dyn Write + Send),
    ) -> Result<io::Result<()>> {
        let about = [("rvcheck.table", "rvcheck.events/1"), ("rvcheck.build", traces.build())];
        let mut table = match Table::new(out, &COLUMNS, &about) {
            Ok(table) => table,
            Err(error) => return Ok(Err(error)),
        };
        let mut left = limit.unwrap_or(u64::MAX);
        for index in 0..traces.count() {
            let done =
                traces.look(index, |trace| rows(&trace, index + 1, declared, &mut left, &mut table))?;
            if done.is_err() {
                return Ok(done);
            }
        }
        Ok(table.finish())
    }

    fn rows<W: Write + Send>(
        trace: &OpenTrace<'_>,
        process: usize,
        declared: &[Declared],
        left: &mut u64,
        table: &mut Table<W>,
    ) -> io::Result<()> {
        let (title, began_at) = (trace.title(), trace.began_at());
        let (mut done, mut number) = (Ok(()), 0);
        trace.each(&mut |event: &Event, world: &World, labels: &Labels<'_>| {
            if *left == 0 {
                return ControlFlow::Break(());
            }
            *left -= 1;
            let unit = trace.unit(event.unit);
            let place = labels.place(event.site, event, world);
            let place = place.as_deref().and_then(position);
            let about = about(event);
            let task = Value::object(Sort::Task, event.task.0);
            let name = |value: Value| match value {
                Value::Absent => Cell::Empty,
                value => Cell::Text(labels.name(value, event, world)),
            };
            let (sort, object) = match about {
                Value::Object(sort, id) => (Cell::Text(sort.name().to_owned()), Cell::Int(id.into())),
                _ => (Cell::Empty, Cell::Empty),
            };
            done = table.push([
                Cell::Int(process as i64),
                Cell::Text(title.clone()),
                Cell::Int(number),
                int(event.time),
                if began_at > 0 { int(began_at.saturating_add(event.time)) } else { Cell::Empty },
                Cell::Text(world.names().event(event).to_owned()),
                if unit.is_empty() { Cell::Empty } else { Cell::Text(unit) },
                some(event.thread.0),
                some(event.task.0),
                name(task),
                sort,
                object,
                name(about),
                if event.number > 0 && event.caught_at().is_none() { int(event.number) } else { Cell::Empty },
                if event.ns > 0 { int(event.ns) } else { Cell::Empty },
                if event.cpu > 0 { int(event.cpu) } else { Cell::Empty },
                place.map_or(Cell::Empty, |it| Cell::Text(it.0.to_owned())),
                place.map_or(Cell::Empty, |it| Cell::Int(it.1)),
                place.map_or(Cell::Empty, |it| Cell::Int(it.2)),
                Cell::Text(jsonl::line(event, world, declared)),
            ]);
            number += 1;
            if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        done
    }

    fn int(number: u64) -> Cell {
        Cell::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn some(number: u32) -> Cell {
        if number > 0 { Cell::Int(number.into()) } else { Cell::Empty }
    }

    /// What the event is about beside its task.
    fn about(event: &Event) -> Value {
        match (event.argument(1), event.argument(0)) {
            (Value::Object(sort, id), _) => Value::Object(sort, id),
            (_, Value::Object(sort, id)) if sort != Sort::Task => Value::Object(sort, id),
            _ => Value::Absent,
        }
    }

    /// The file, line and column of a place.
    fn position(place: &str) -> Option<(&str, i64, i64)> {
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some((file, line.parse().ok()?, column.parse().ok()?))
    }
}
