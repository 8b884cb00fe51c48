//! Sites that await a future.
//!
//! A macro such as `select!` awaits too, but in the code of its own crate, where nothing is marked; only the awaits in
//! its input are sites.

use super::UnplacedSite;
use super::binding::receiver;
use crate::token::Tokens;
use rvcheck_event::site::SiteKind;

/// The site of the `.await` whose word is at this index. Its binding is the expression that is awaited.
pub(super) fn found<'a>(tokens: &Tokens<'a>, index: usize) -> Option<UnplacedSite<'a>> {
    if !tokens.is_await(index) {
        return None;
    }
    let token = tokens.get(index)?;
    Some(UnplacedSite {
        kind: SiteKind::Await,
        call: "await",
        start: token.start,
        end: token.end,
        binding: receiver(tokens, index - 1),
    })
}
