//! Regular expressions of filters: the common ones, without a dependency.

use std::collections::BTreeSet;

/// A regular expression. What is not understood is refused, never matched in another way.
#[derive(Clone, Debug)]
pub struct Regex {
    choices: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug)]
struct Piece {
    node: Node,
    least: usize,
    most: usize,
}

#[derive(Clone, Debug)]
enum Node {
    Any,
    /// Ranges, and whether a character in one of them is meant or one in none.
    Class(Vec<(char, char)>, bool),
    Start,
    End,
    Boundary(bool),
    Group(Vec<Vec<Piece>>),
}

type Positions = BTreeSet<usize>;

impl Regex {
    pub fn new(text: &str) -> Result<Regex, String> {
        let mut parser = Parser { rest: text.chars().collect(), depth: 0 };
        parser.rest.reverse();
        let choices = parser.choices()?;
        match parser.rest.last() {
            None => Ok(Regex { choices }),
            Some(_) => Err("unopened group".to_owned()),
        }
    }

    pub fn is_match(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        !any(&self.choices, &text, &(0..=text.len()).collect()).is_empty()
    }
}

// Matching goes from a set of positions to the set of those that are reached, so it always ends soon.
fn any(choices: &[Vec<Piece>], text: &[char], from: &Positions) -> Positions {
    let ends = |pieces: &Vec<Piece>| {
        pieces.iter().fold(from.clone(), |at, piece| repeated(piece, text, at))
    };
    choices.iter().flat_map(ends).collect()
}

fn repeated(piece: &Piece, text: &[char], from: Positions) -> Positions {
    let mut at = from;
    for _ in 0..piece.least {
        at = one(&piece.node, text, &at);
    }
    let mut reached = at.clone();
    for _ in piece.least..piece.most {
        at = one(&piece.node, text, &at).difference(&reached).copied().collect();
        if at.is_empty() {
            break;
        }
        reached.extend(&at);
    }
    reached
}

fn one(node: &Node, text: &[char], from: &Positions) -> Positions {
    let is_word = |at: Option<&char>| at.map_or(false, |c| c.is_alphanumeric() || *c == '_');
    let step = |at: &usize| match node {
        Node::Any => text.get(*at).filter(|c| **c != '\n').map(|_| at + 1),
        Node::Class(ranges, meant) => {
            let inside = |c: &&char| ranges.iter().any(|(a, b)| a <= *c && *c <= b) == *meant;
            text.get(*at).filter(inside).map(|_| at + 1)
        }
        Node::Start => Some(*at).filter(|at| *at == 0),
        Node::End => Some(*at).filter(|at| *at == text.len()),
        Node::Boundary(meant) => {
            let before = is_word(at.checked_sub(1).and_then(|before| text.get(before)));
            Some(*at).filter(|at| (before != is_word(text.get(*at))) == *meant)
        }
        Node::Group(_) => None,
    };
    match node {
        Node::Group(choices) => any(choices, text, from),
        _ => from.iter().filter_map(step).collect(),
    }
}

/// What is left, last character first.
struct Parser {
    rest: Vec<char>,
    depth: usize,
}

impl Parser {
    fn take(&mut self, wanted: char) -> bool {
        let found = self.rest.last() == Some(&wanted);
        if found {
            self.rest.pop();
        }
        found
    }

    fn choices(&mut self) -> Result<Vec<Vec<Piece>>, String> {
        let mut choices = vec![Vec::new()];
        loop {
            match self.rest.last() {
                None | Some(')') => return Ok(choices),
                Some('|') => {
                    self.rest.pop();
                    choices.push(Vec::new());
                }
                Some(_) => {
                    let piece = self.piece()?;
                    if let Some(last) = choices.last_mut() {
                        last.push(piece);
                    }
                }
            }
        }
    }

    fn piece(&mut self) -> Result<Piece, String> {
        let node = self.node()?;
        let (least, most) = match self.rest.last() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => return Err("counted repetition is not supported".to_owned()),
            _ => return Ok(Piece { node, least: 1, most: 1 }),
        };
        self.rest.pop();
        // A lazy repetition finds the same ids.
        self.take('?');
        match self.rest.last() {
            Some('*') | Some('+') | Some('?') => Err("repetition of a repetition".to_owned()),
            _ => Ok(Piece { node, least, most }),
        }
    }

    fn node(&mut self) -> Result<Node, String> {
        let only = |c: char| Node::Class(vec![(c, c)], true);
        match self.rest.pop() {
            Some('.') => Ok(Node::Any),
            Some('^') => Ok(Node::Start),
            Some('$') => Ok(Node::End),
            Some('(') => self.group(),
            Some('[') => self.class(),
            Some('\\') => match self.rest.last() {
                Some('b') => self.boundary(true),
                Some('B') => self.boundary(false),
                _ => self.escaped().map(|(ranges, meant)| Node::Class(ranges, meant)),
            },
            Some(c) if "*+?{".contains(c) => Err("repetition of nothing".to_owned()),
            Some(c) => Ok(only(c)),
            None => Err("unexpected end".to_owned()),
        }
    }

    fn boundary(&mut self, meant: bool) -> Result<Node, String> {
        self.rest.pop();
        Ok(Node::Boundary(meant))
    }

    fn group(&mut self) -> Result<Node, String> {
        if self.take('?') && !self.take(':') {
            return Err("flags and names are not supported".to_owned());
        }
        self.depth += 1;
        if self.depth > 50 {
            return Err("too many groups".to_owned());
        }
        let choices = self.choices()?;
        self.depth -= 1;
        if self.take(')') {
            Ok(Node::Group(choices))
        } else {
            Err("unclosed group".to_owned())
        }
    }

    fn class(&mut self) -> Result<Node, String> {
        let meant = !self.take('^');
        let mut ranges = Vec::new();
        loop {
            let first = match self.rest.pop() {
                None => return Err("unclosed character class".to_owned()),
                Some(']') if !ranges.is_empty() => return Ok(Node::Class(ranges, meant)),
                Some('\\') => match self.escaped()? {
                    (escaped, true) if escaped.len() == 1 && escaped[0].0 == escaped[0].1 => {
                        escaped[0].0
                    }
                    (escaped, true) => {
                        ranges.extend(escaped);
                        continue;
                    }
                    _ => return Err("this escape in a class is not supported".to_owned()),
                },
                Some('[') | Some('&') | Some('~') => {
                    return Err("classes in classes are not supported".to_owned())
                }
                Some(c) => c,
            };
            let is_range = self.rest.last() == Some(&'-')
                && self.rest.iter().rev().nth(1).map_or(false, |c| *c != ']');
            if !is_range {
                ranges.push((first, first));
                continue;
            }
            self.rest.pop();
            match self.rest.pop() {
                Some(last) if first <= last && !"[\\".contains(last) => {
                    ranges.push((first, last));
                }
                _ => return Err("invalid range of characters".to_owned()),
            }
        }
    }

    /// The ranges of an escape, and whether a character in one of them is meant.
    fn escaped(&mut self) -> Result<(Vec<(char, char)>, bool), String> {
        let word = || vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let space = || vec![('\t', '\r'), (' ', ' ')];
        let only = |c: char| Ok((vec![(c, c)], true));
        match self.rest.pop() {
            Some('d') => Ok((vec![('0', '9')], true)),
            Some('D') => Ok((vec![('0', '9')], false)),
            Some('w') => Ok((word(), true)),
            Some('W') => Ok((word(), false)),
            Some('s') => Ok((space(), true)),
            Some('S') => Ok((space(), false)),
            Some('n') => only('\n'),
            Some('r') => only('\r'),
            Some('t') => only('\t'),
            Some(c) if !c.is_alphanumeric() => only(c),
            _ => Err("this escape is not supported".to_owned()),
        }
    }
}
