//! A list of things as somebody keeps it: read from JSON, changed in place, shown again.
//!
//! `cargo run -p noproto --example inventory`

use noproto::{Buffer, Decimal, Schema};

fn main() -> noproto::Result<()> {
    let schema = Schema::parse(
        "struct {
            items: list<struct { name: string, price: decimal(2), stock: u32 }>,
            places: map<string>,
        }",
    )?;
    let mut inventory = Buffer::from_json(
        &schema,
        r#"{"items": [{"name": "pencil", "price": 0.80, "stock": 12}], "places": {"pencil": "A3"}}"#,
    )?;

    // One value is changed where it stands; nothing else is touched.
    let before = inventory.as_bytes().len();
    inventory.set("items.0.stock", 11_u32)?;
    assert_eq!(inventory.as_bytes().len(), before);

    inventory.set("items.1.name", "paper")?;
    inventory.set("items.1.price", Decimal(450))?;
    inventory.set("places.paper", "B1")?;
    inventory.compact()?;

    let root = inventory.view().root().as_struct()?;
    let items = root.map(|root| root.named("items")).transpose()?.flatten();
    for item in items.map(|items| items.as_list()).transpose()?.iter().flat_map(|list| list.iter())
    {
        let Some(item) = item.as_struct()? else { continue };
        println!("{:8} {:?}", item.get::<&str>(0)?.unwrap_or("?"), item.get::<Decimal>(1)?);
    }
    println!("{}", inventory.to_json()?);
    Ok(())
}
