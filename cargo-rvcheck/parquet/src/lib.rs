//! Tables as Parquet files: rows in, a file out.
//!
//! A [`Table`] has the [`Column`]s that whoever writes it names, and holds one group of rows at a time. What a file is made of is the
//! business of the crate `parquet`, which nothing else of rvcheck uses.

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// How many rows a group has.
const GROUP: usize = 1 << 16;

/// A column: its name, what is in it, and whether it may be empty in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// What is in it.
    pub kind: Kind,
    /// There may be nothing in it.
    pub optional: bool,
}

/// What is in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number of 32 bits.
    Int32,
    /// A number of 64 bits.
    Int64,
    /// A moment, in ns since 1970.
    Moment,
    /// A text.
    Text,
    /// A text that is JSON.
    Json,
}

/// The value of a column in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A number; it is cut off where the column has fewer bits.
    Int(i64),
    /// A text.
    Text(String),
}

/// The values of one column that are not written yet.
#[derive(Debug)]
enum Values {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Text(Vec<ByteArray>),
}

/// A table that is being written.
pub struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    values: Vec<Values>,
    /// For each column and row: 1 where there is a value.
    levels: Vec<Vec<i16>>,
    rows: usize,
}

impl<W: Write + Send> Table<W> {
    /// A table with these columns and no rows. `about` says what it is, by keys.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(out: W, columns: &[Column], about: &[(&str, &str)]) -> io::Result<Table<W>> {
        let fields = columns.iter().map(|it| field(*it).map(Arc::new));
        let fields = fields.collect::<Result<Vec<_>, _>>().map_err(io_error)?;
        let schema = Type::group_type_builder("rows").with_fields(fields).build().map_err(io_error)?;
        let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("rvcheck ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(about.collect()))
            .build();
        let writer =
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(io_error)?;
        let (values, levels) =
            (columns.iter().map(|it| none(it.kind)).collect(), vec![Vec::new(); columns.len()]);
        Ok(Table { writer, columns: columns.to_vec(), values, levels, rows: 0 })
    }

    /// Adds a row with a cell for each column, in their order. One that is missing, or of another kind than its column, is empty, and in a
    /// column that may not be empty it is 0 or the empty text.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) -> io::Result<()> {
        let mut row = row.into_iter();
        for (at, column) in self.columns.iter().enumerate() {
            let cell = row.next().unwrap_or(Cell::Empty);
            let fits = match (&mut self.values[at], cell) {
                (Values::Int32(values), Cell::Int(number)) => {
                    values.push(number as i32);
                    true
                }
                (Values::Int64(values), Cell::Int(number)) => {
                    values.push(number);
                    true
                }
                (Values::Text(values), Cell::Text(text)) => {
                    values.push(text.into_bytes().into());
                    true
                }
                (values, _) => {
                    if !column.optional {
                        values.push_default();
                    }
                    false
                }
            };
            if column.optional {
                self.levels[at].push(i16::from(fits));
            }
        }
        self.rows += 1;
        if self.rows == GROUP { self.write() } else { Ok(()) }
    }

    /// Writes what is left, and the end of the file.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.writer.close().map(|_| ()).map_err(io_error)
    }

    fn write(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(io_error)?;
        for (at, column) in self.columns.iter().enumerate() {
            let values = std::mem::replace(&mut self.values[at], none(column.kind));
            let levels = std::mem::take(&mut self.levels[at]);
            let Some(mut writer) = group.next_column().map_err(io_error)? else { break };
            values.write(column.optional.then_some(&levels[..]), &mut writer).map_err(io_error)?;
            writer.close().map_err(io_error)?;
        }
        self.rows = 0;
        group.close().map(|_| ()).map_err(io_error)
    }
}

impl Values {
    fn push_default(&mut self) {
        match self {
            Values::Int32(values) => values.push(0),
            Values::Int64(values) => values.push(0),
            Values::Text(values) => values.push(Vec::new().into()),
        }
    }

    fn write(
        &self,
        levels: Option<&[i16]>,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<usize, ParquetError> {
        match self {
            Values::Int32(values) => writer.typed::<Int32Type>().write_batch(values, levels, None),
            Values::Int64(values) => writer.typed::<Int64Type>().write_batch(values, levels, None),
            Values::Text(values) => writer.typed::<ByteArrayType>().write_batch(values, levels, None),
        }
    }
}

fn none(kind: Kind) -> Values {
    match kind {
        Kind::Int32 => Values::Int32(Vec::new()),
        Kind::Int64 | Kind::Moment => Values::Int64(Vec::new()),
        Kind::Text | Kind::Json => Values::Text(Vec::new()),
    }
}

fn field(column: Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Int32 => (Physical::INT32, None),
        Kind::Int64 => (Physical::INT64, None),
        Kind::Moment => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::NANOS))),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
    };
    let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

/// What went wrong, as an error of the file. That a pipe is closed is still to be seen.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    const COLUMNS: [Column; 4] = [
        Column { name: "number", kind: Kind::Int32, optional: false },
        Column { name: "name", kind: Kind::Text, optional: true },
        Column { name: "time", kind: Kind::Int64, optional: true },
        Column { name: "at", kind: Kind::Moment, optional: true },
    ];

    fn written(rows: &[[Cell; 4]]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut table = Table::new(&mut file, &COLUMNS, &[("what", "a test")]).expect("a table");
        for row in rows {
            table.push(row.clone()).expect("there is room");
        }
        table.finish().expect("there is room");
        file
    }

    fn read(file: Vec<u8>) -> (Vec<String>, Vec<Vec<Field>>) {
        // What a reader reads from is a type of another crate, which a reader of columns gives, too.
        let path =
            std::env::temp_dir().join(format!("rvcheck-parquet-{}-{}", std::process::id(), file.len()));
        std::fs::write(&path, file).expect("there is room");
        let reader =
            SerializedFileReader::new(std::fs::File::open(&path).expect("it is there")).expect("a file");
        let fields = reader.metadata().file_metadata().schema().get_fields();
        let types =
            fields.iter().map(|it| format!("{} {:?}", it.name(), it.get_basic_info().logical_type_ref()));
        let types = types.collect();
        let rows = reader.get_row_iter(None).expect("rows");
        let rows = rows.map(|row| row.expect("a row").into_columns().into_iter().map(|it| it.1).collect());
        let rows = rows.collect();
        std::fs::remove_file(&path).expect("it can be removed");
        (types, rows)
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let text = |it: &str| Cell::Text(it.to_owned());
        let rows = [
            [Cell::Int(1), text("größe"), Cell::Int(i64::MAX), Cell::Int(7)],
            [Cell::Int(-2), Cell::Empty, Cell::Empty, Cell::Empty],
            [text("no number"), Cell::Int(3), text("no time"), Cell::Empty],
        ];
        let (types, read) = read(written(&rows));
        assert_eq!(types.len(), 4);
        assert!(types[3].contains("NANOS"), "{types:?}");
        let name = Field::Str("größe".to_owned());
        assert_eq!(read[0][..3], [Field::Int(1), name, Field::Long(i64::MAX)]);
        assert_eq!(read[1], [Field::Int(-2), Field::Null, Field::Null, Field::Null]);
        assert_eq!(read[2], [Field::Int(0), Field::Null, Field::Null, Field::Null]);
    }

    #[test]
    fn a_table_has_any_number_of_rows() {
        for count in [0, 1, GROUP, GROUP + 1] {
            let row = |it: usize| {
                [Cell::Int(it as i64), Cell::Text(format!("row {}", it % 7)), Cell::Int(1), Cell::Empty]
            };
            let rows: Vec<[Cell; 4]> = (0..count).map(row).collect();
            let (_, read) = read(written(&rows));
            assert_eq!(read.len(), count);
            assert!(read.iter().enumerate().all(|(at, it)| it[0] == Field::Int(at as i32)));
        }
    }

    #[test]
    fn an_error_of_the_file_is_that_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error =
            Table::new(Closed, &COLUMNS, &[]).and_then(Table::finish).expect_err("nothing can be written");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
