//! The values: what the published benches call a `FooBarContainer`.
//!
//! There, each library had values of its own. These are the same for all, and chosen so that the
//! published sizes stay where the libraries still give them. Two had to be others: `length`, since
//! Protocol Buffers were given one of three bytes and JSON one of five digits; and `ratio`, which is
//! an `f32` here and an `f64` there, now a number of as many digits that is exact in both.

/// The whole message.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Three of them.
    pub list: Vec<FooBar<String>>,
    /// The values alongside the list.
    pub top: Top<String>,
}

/// The values of the message outside of its list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top<S> {
    /// A bool.
    pub initialized: bool,
    /// An enum: apples, pears, bananas.
    pub fruit: u8,
    /// The value that is read alone.
    pub location: S,
}

/// An item of the list. Its structs `sibling` (`time`, `ratio`, `size`) and, within that, `parent`
/// (`id` to `length`) are structs in all formats; here they would only be in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FooBar<S> {
    /// The value that is changed, of the first item.
    pub name: S,
    /// Of the item.
    pub rating: f64,
    /// A character, of the item.
    pub postfix: u8,
    /// Of the sibling.
    pub time: i32,
    /// Of the sibling.
    pub ratio: f32,
    /// Of the sibling.
    pub size: u16,
    /// Of the sibling's parent.
    pub id: u64,
    /// Of the sibling's parent.
    pub count: i16,
    /// A character, of the sibling's parent.
    pub prefix: i8,
    /// Of the sibling's parent.
    pub length: u32,
}

/// The first item's name after an update.
pub const NEW_NAME: &str = "bob";

impl Container {
    /// The message that is measured.
    #[must_use]
    pub fn published() -> Self {
        let list = (0..3_u8).map(|x| FooBar {
            name: "Hello, World!".to_owned(),
            rating: 3.141_543_243_244_554_3 + f64::from(x),
            postfix: b'!',
            time: 123_456 + i32::from(x),
            ratio: 3.156_25 + f32::from(x),
            size: 10_000 + u16::from(x),
            id: 0xABAD_CAFE_ABAD_CAFE + u64::from(x),
            count: 1_000 + i16::from(x),
            prefix: b'@' as i8,
            length: 20_000 + u32::from(x),
        });
        let location = "http://arstechnica.com".to_owned();
        Self { list: list.collect(), top: Top { initialized: true, fruit: 2, location } }
    }
}

/// Takes every value of a message.
pub trait Sink {
    /// Takes an item of the list; they come in their order.
    fn item(&mut self, item: FooBar<&str>);

    /// Takes the values outside of the list.
    fn top(&mut self, top: Top<&str>);
}

/// Puts a message together again.
#[derive(Debug, Default)]
pub struct Collect {
    list: Vec<FooBar<String>>,
    top: Option<Top<String>>,
}

impl Collect {
    /// The message, if it is whole.
    #[must_use]
    pub fn finish(self) -> Option<Container> {
        Some(Container { list: self.list, top: self.top? })
    }
}

impl Sink for Collect {
    fn item(&mut self, item: FooBar<&str>) {
        let FooBar { name, rating, postfix, time, ratio, size, id, count, prefix, length } = item;
        let name = name.to_owned();
        let item = FooBar { name, rating, postfix, time, ratio, size, id, count, prefix, length };
        self.list.push(item);
    }

    fn top(&mut self, Top { initialized, fruit, location }: Top<&str>) {
        self.top = Some(Top { initialized, fruit, location: location.to_owned() });
    }
}
