//! Names that a file defines, declares and uses, from its syntax. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Item, UseTree, Visibility};

pub(crate) type Path = Vec<String>;

/// One module: a file, or a part of one in braces.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// Modules in files of their own.
    pub(crate) children: Vec<String>,
    /// Modules in braces.
    pub(crate) inline: Vec<(String, Source)>,
    /// Names of what is defined here.
    pub(crate) items: BTreeSet<String>,
    /// The names that imports and re-exports introduce, with the path of each.
    pub(crate) names: BTreeMap<String, Path>,
    /// Modules whose names are all imported or re-exported.
    pub(crate) globs: Vec<Path>,
    /// Every path in the code and in imports. A re-export uses nothing.
    pub(crate) used: Vec<Path>,
    /// Modules of which an import takes everything.
    pub(crate) used_whole: Vec<Path>,
}

pub(crate) fn parse(text: &str) -> syn::Result<Source> {
    Ok(source(syn::parse_file(text)?.items))
}

fn source(items: Vec<Item>) -> Source {
    let mut source = Source::default();
    for item in items {
        add(&mut source, item);
    }
    source
}

fn add(source: &mut Source, item: Item) {
    if attributes(&item).iter().any(is_test) {
        return;
    }
    match item {
        Item::Mod(module) => match module.content {
            Some((_, items)) => source.inline.push((module.ident.to_string(), self::source(items))),
            None => source.children.push(module.ident.to_string()),
        },
        Item::Use(import) => {
            let is_private = matches!(import.vis, Visibility::Inherited);
            leaves(source, &import.tree, &mut Vec::new(), is_private);
        }
        other => {
            source.items.extend(name(&other));
            paths(other.to_token_stream(), &[], &mut source.used);
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
}

fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn leaves(source: &mut Source, tree: &UseTree, prefix: &mut Path, is_private: bool) {
    let (name, ident) = match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            leaves(source, &path.tree, prefix, is_private);
            prefix.pop();
            return;
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                leaves(source, tree, prefix, is_private);
            }
            return;
        }
        UseTree::Glob(_) => {
            source.globs.push(prefix.clone());
            if is_private {
                source.used_whole.push(prefix.clone());
            }
            return;
        }
        UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(rename) => (rename.rename.to_string(), rename.ident.to_string()),
    };
    let mut path = prefix.clone();
    // `a::{self}` is `a`.
    let name = match ident.as_str() {
        "self" if !path.is_empty() && name == "self" => path.last().cloned().unwrap_or_default(),
        "self" => name,
        _ => {
            path.push(ident);
            name
        }
    };
    if is_private {
        source.used.push(path.clone());
    }
    source.names.insert(name, path);
}

/// Every path of some code, what macros are called with included. Names after a dot are fields and methods.
fn paths(code: TokenStream, prefix: &[String], found: &mut Vec<Path>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let is = |at: usize, what: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == what);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let start = at;
        at += 1;
        match token {
            TokenTree::Punct(hash)
                if hash.as_char() == '#' && is_test_attribute(tokens.get(at)) =>
            {
                at += 1;
                while let Some(token) = tokens.get(at) {
                    at += 1;
                    let ends = match token {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
                        _ => false,
                    };
                    if ends {
                        break;
                    }
                }
            }
            TokenTree::Group(group) => paths(group.stream(), prefix, found),
            TokenTree::Ident(ident) => {
                let mut path = prefix.to_vec();
                path.push(ident.to_string());
                while is(at, ':') && is(at + 1, ':') {
                    match tokens.get(at + 2) {
                        Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                            paths(group.stream(), &path, found);
                        }
                        _ => break,
                    }
                    at += 3;
                }
                let is_member =
                    start > 0 && is(start - 1, '.') && !(start > 1 && is(start - 2, '.'));
                if !is_member {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
}

/// Within functions and `impl` blocks, where attributes are tokens like any other.
fn is_test_attribute(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else { return false };
    group.stream().to_string().replace(' ', "") == "cfg(test)"
}
