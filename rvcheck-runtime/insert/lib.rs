//! An attribute that inserts tokens into the item that it stands on.
//!
//! Text that is inserted into a line moves what stands behind it, and a program can look: by `column!()`, by a `Location`, in a
//! panic message, in a span. Tokens that a procedural macro inserts have the place of a token that was there, and all others keep
//! theirs. Whoever rewrites a file counts lines and columns from 1, columns in characters, as [`Span`] does.
//!
//! `#[insert(7 12 7 13 { .marked() } …)]` inserts `.marked()` before the token that begins at line 7, column 12, with the place of
//! the one at line 7, column 13. `= "text"` in place of the braces exchanges the token. What is inserted may open a delimiter that
//! another insertion closes: see [`unmatched`].

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Line and column.
type Place = (usize, usize);

/// Inserts into an item what the arguments say. An insertion without its place is an error of the compiler's.
#[proc_macro_attribute]
pub fn insert(insertions: TokenStream, item: TokenStream) -> TokenStream {
    match parsed(insertions).and_then(|it| inserted(it, item.clone())) {
        Ok(item) => item,
        Err(error) => {
            let mut refused: TokenStream =
                format!("::core::compile_error! {{ {error:?} }}").parse().unwrap_or_default();
            refused.extend(item);
            refused
        }
    }
}

/// What is inserted before a token, or exchanged for it.
struct Insertion {
    /// Where the token is whose place it has.
    of: Place,
    tokens: TokenStream,
    exchanges: bool,
}

/// By the places of the tokens that they go before.
type Insertions = BTreeMap<Place, Vec<Insertion>>;

fn parsed(arguments: TokenStream) -> Result<Insertions, String> {
    let mut found = Insertions::new();
    let mut arguments = arguments.into_iter();
    while let Some(first) = arguments.next() {
        let numbers = std::iter::once(first).chain(arguments.by_ref().take(3));
        let numbers: Vec<usize> = numbers.map_while(|it| it.to_string().parse().ok()).collect();
        let [at_line, at_column, line, column] = numbers[..] else { return Err("no place".to_owned()) };
        let (tokens, exchanges) = match arguments.next() {
            Some(TokenTree::Group(group)) => (group.stream(), false),
            Some(TokenTree::Punct(_)) => (arguments.next().into_iter().collect(), true),
            _ => return Err("nothing to insert".to_owned()),
        };
        let insertion = Insertion { of: (line, column), tokens, exchanges };
        found.entry((at_line, at_column)).or_default().push(insertion);
    }
    Ok(found)
}

/// A part of an item.
enum Piece {
    /// A token, or a group that nothing goes into. Such a group stays the compiler's own, so that `stringify!` shows it as it is written.
    Tree(TokenTree),
    /// The beginning of a group, with the span of the whole of it.
    Open(Delimiter, Span),
    Close,
}

fn inserted(mut insertions: Insertions, item: TokenStream) -> Result<TokenStream, String> {
    let of = insertions.values().flatten().map(|it| it.of);
    let wanted: BTreeSet<Place> = of.chain(insertions.keys().copied()).collect();
    let mut pieces = Vec::new();
    take_apart(item, &wanted, &mut pieces);
    let spans: BTreeMap<Place, Span> = pieces.iter().map(|(place, span, _)| (*place, *span)).collect();
    let mut groups = Groups::default();
    for (place, _, piece) in pieces {
        let mut is_exchanged = false;
        for insertion in insertions.remove(&place).unwrap_or_default() {
            let span = spans.get(&insertion.of).ok_or_else(|| format!("no token is at {:?}", insertion.of))?;
            insertion.tokens.into_iter().try_for_each(|it| groups.add_inserted(it, *span))?;
            is_exchanged |= insertion.exchanges;
        }
        match piece {
            Piece::Tree(_) if is_exchanged => {}
            Piece::Tree(tree) => groups.add(tree),
            Piece::Open(delimiter, span) => groups.open(delimiter, span),
            Piece::Close => groups.close()?,
        }
    }
    match insertions.into_keys().next() {
        Some(place) => Err(format!("no token is at {place:?}")),
        None => groups.done(),
    }
}

/// The tokens of an item, with all groups opened that something goes into.
fn take_apart(stream: TokenStream, wanted: &BTreeSet<Place>, pieces: &mut Vec<(Place, Span, Piece)>) {
    for tree in stream {
        let group = match tree {
            TokenTree::Group(group) => group,
            other => {
                let span = other.span();
                pieces.push((place(span), span, Piece::Tree(other)));
                continue;
            }
        };
        let (open, close) = (group.span_open(), group.span_close());
        let range = place(open)..=place(close);
        if !range.is_empty() && wanted.range(range).any(|it| *it != place(open)) {
            pieces.push((place(open), open, Piece::Open(group.delimiter(), group.span())));
            take_apart(group.stream(), wanted, pieces);
            pieces.push((place(close), close, Piece::Close));
        } else {
            pieces.push((place(open), open, Piece::Tree(group.into())));
        }
    }
}

fn place(span: Span) -> Place {
    let start = span.start();
    (start.line(), start.column())
}

/// Groups that are being put together; the last one is the innermost.
#[derive(Default)]
struct Groups {
    /// What stands before each open group, with the delimiter and the span of that group.
    around: Vec<(Vec<TokenTree>, Delimiter, Span)>,
    innermost: Vec<TokenTree>,
}

impl Groups {
    fn add(&mut self, tree: TokenTree) {
        self.innermost.push(tree);
    }

    fn open(&mut self, delimiter: Delimiter, span: Span) {
        self.around.push((std::mem::take(&mut self.innermost), delimiter, span));
    }

    fn close(&mut self) -> Result<(), String> {
        let (before, delimiter, span) = self.around.pop().ok_or("a delimiter is not opened")?;
        let inside = std::mem::replace(&mut self.innermost, before);
        let mut group = Group::new(delimiter, inside.into_iter().collect());
        group.set_span(span);
        self.add(group.into());
        Ok(())
    }

    /// Adds a token with this span; what stands for an unmatched delimiter opens a group, or closes the innermost one.
    fn add_inserted(&mut self, mut tree: TokenTree, span: Span) -> Result<(), String> {
        match tree {
            TokenTree::Group(group) => {
                self.open(group.delimiter(), span);
                group.stream().into_iter().try_for_each(|it| self.add_inserted(it, span))?;
                self.close()
            }
            TokenTree::Ident(ref name) => match unmatched(&name.to_string()) {
                Some(Unmatched::Open(delimiter)) => {
                    self.open(delimiter, span);
                    Ok(())
                }
                Some(Unmatched::Close) => self.close(),
                None => {
                    tree.set_span(span);
                    self.add(tree);
                    Ok(())
                }
            },
            _ => {
                tree.set_span(span);
                self.add(tree);
                Ok(())
            }
        }
    }

    fn done(self) -> Result<TokenStream, String> {
        if self.around.is_empty() {
            Ok(self.innermost.into_iter().collect())
        } else {
            Err("a delimiter is not closed".to_owned())
        }
    }
}

/// A delimiter that another insertion has the counterpart of.
enum Unmatched {
    Open(Delimiter),
    Close,
}

/// Arguments of an attribute cannot hold such a delimiter, so a word stands for it.
fn unmatched(word: &str) -> Option<Unmatched> {
    Some(match word.strip_prefix("__rv_unmatched_")? {
        "parenthesis" => Unmatched::Open(Delimiter::Parenthesis),
        "bracket" => Unmatched::Open(Delimiter::Bracket),
        "brace" => Unmatched::Open(Delimiter::Brace),
        "close" => Unmatched::Close,
        _ => return None,
    })
}
