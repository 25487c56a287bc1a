//! The HTML page: one file that needs no network, and is complete without scripts and without styles.
//!
//! Every string of a result is untrusted: the templates escape them, and the page's security policy names the only
//! script and the only style sheet that run.

mod card;
mod context;
mod data;
mod explained;
mod look;
mod name;
mod overview;
mod page;
mod rows;
mod rules;
mod verdict;

use maud::html;

use self::name::Names;
pub(super) use self::overview::picture;
pub(super) use self::page::still_page;
use super::Options;
use crate::result::RunResult;

/// The page.
pub(super) fn html(result: &RunResult, options: &Options<'_>) -> String {
    let names = Names::of(result);
    page::page(
        result,
        &html! {
            (verdict::verdict(result, options, &names))
            (overview::overview(result, &names))
            (card::cards(result, options, &names))
            (rules::rules(result))
            (rows::rows(result, &names))
            (context::not_measured(result))
            (context::conditions(result))
            (data::data(result))
        },
    )
}

#[cfg(test)]
mod tests;
