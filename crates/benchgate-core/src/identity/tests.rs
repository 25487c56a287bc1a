use proptest::prelude::*;

use super::*;

/// Size of the file header.
const HEADER: usize = 64;
const FOLDERS: &[[&[u8]; 2]] =
    &[[b"/trees/base", b"/trees/head"], [b"/built/base", b"/built/head"]];

struct Given {
    name: &'static str,
    flags: u64,
    address: u64,
    bytes: Vec<u8>,
}

fn given(name: &'static str, flags: u64, bytes: &[u8]) -> Given {
    Given { name, flags, address: 0x1000, bytes: bytes.to_vec() }
}

const UNLOADED: u64 = 0;
const CONSTANT: u64 = 2;
const CODE: u64 = 6;

/// An executable of these sections and the table of their names.
fn elf(sections: &[Given]) -> Vec<u8> {
    let mut names = vec![0];
    let mut content = Vec::new();
    let mut table = vec![0; SECTION_HEADER];
    let mut add = |name: &str, kind: u32, flags: u64, address: u64, bytes: &[u8]| {
        let name_at = u32::try_from(names.len()).unwrap();
        names.extend_from_slice(name.as_bytes());
        names.push(0);
        let bytes = if name == ".shstrtab" { names.clone() } else { bytes.to_vec() };
        table.extend_from_slice(&name_at.to_le_bytes());
        table.extend_from_slice(&kind.to_le_bytes());
        for number in [flags, address, (HEADER + content.len()) as u64, bytes.len() as u64] {
            table.extend_from_slice(&number.to_le_bytes());
        }
        table.extend_from_slice(&[0; 24]);
        content.extend(bytes);
    };
    for section in sections {
        add(section.name, 1, section.flags, section.address, &section.bytes);
    }
    add(".shstrtab", 3, 0, 0, &[]);
    let mut file = b"\x7fELF\x02\x01".to_vec();
    file.resize(HEADER, 0);
    file[40..48].copy_from_slice(&((HEADER + content.len()) as u64).to_le_bytes());
    file[58..60].copy_from_slice(&64_u16.to_le_bytes());
    let count = u16::try_from(sections.len() + 2).unwrap();
    file[60..62].copy_from_slice(&count.to_le_bytes());
    file[62..64].copy_from_slice(&(count - 1).to_le_bytes());
    file.extend(content);
    file.extend(table);
    file
}

fn with(code: &[u8], constants: &[u8], debug: &[u8]) -> Vec<u8> {
    elf(&[
        given(".text", CODE, code),
        given(".rodata", CONSTANT, constants),
        given(".debug_line", UNLOADED, debug),
    ])
}

#[test]
fn a_file_of_any_format_is_the_same_as_itself() {
    assert_eq!(compare(b"\xcf\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", FOLDERS), Comparison::Same);
}

#[test]
fn what_is_not_loaded_does_not_count_and_is_named() {
    let comparison =
        compare(&with(b"code", b"1", b"/a"), &with(b"code", b"1", b"/longer"), FOLDERS);
    assert_eq!(comparison, Comparison::SameCode { sections: vec![".debug_line".to_owned()] });
}

#[test]
fn one_byte_of_code_counts() {
    let comparison = compare(&with(b"code", b"1", b""), &with(b"coda", b"1", b""), FOLDERS);
    let difference = Difference { section: ".text".to_owned(), bytes: 1 };
    assert_eq!(comparison, Comparison::Differs { sections: vec![difference] });
}

#[test]
fn a_moved_section_counts_even_with_equal_bytes() {
    let at = |address| elf(&[Given { address, ..given(".text", CODE, b"code") }]);
    let difference = Difference { section: ".text".to_owned(), bytes: 0 };
    let comparison = compare(&at(0x1000), &at(0x1010), FOLDERS);
    assert_eq!(comparison, Comparison::Differs { sections: vec![difference] });
}

#[test]
fn a_loaded_section_of_one_side_counts_with_its_size() {
    let base = elf(&[given(".text", CODE, b"code")]);
    let head = elf(&[given(".text", CODE, b"code"), given(".data", 3, b"12345")]);
    let Comparison::Differs { sections } = compare(&base, &head, FOLDERS) else { panic!() };
    assert_eq!(sections, [Difference { section: ".data".to_owned(), bytes: 5 }]);
}

#[test]
fn a_build_id_does_not_count() {
    let of = |id: &[u8]| elf(&[given(".text", CODE, b"code"), given(BUILD_ID, CONSTANT, id)]);
    assert!(compare(&of(b"0123"), &of(b"4567"), FOLDERS).is_same_code());
}

#[test]
fn the_folder_of_the_checkout_is_a_difference_in_code_and_not_in_constants() {
    let (base, head) = (b"x/trees/base/data.bin", b"x/trees/head/data.bin");
    let comparison = compare(&with(b"c", base, b""), &with(b"c", head, b""), FOLDERS);
    let sections = vec![".rodata (the folder of the checkout)".to_owned()];
    assert_eq!(comparison, Comparison::SameCode { sections });
    assert!(!compare(&with(base, b"c", b""), &with(head, b"c", b""), FOLDERS).is_same_code());
    let other = b"x/trees/head/data.bim";
    assert!(!compare(&with(b"c", base, b""), &with(b"c", other, b""), FOLDERS).is_same_code());
    // Each names the other's: that is a change.
    assert!(!compare(&with(b"c", head, b""), &with(b"c", base, b""), FOLDERS).is_same_code());
}

#[test]
fn another_format_is_unknown_unless_it_is_equal() {
    let comparison = compare(b"\xcf\xfa\xed\xfe1", b"\xcf\xfa\xed\xfe2", FOLDERS);
    assert!(matches!(comparison, Comparison::Unknown(reason) if reason.contains("only ELF")));
}

proptest! {
    #[test]
    fn damaged_executables_are_compared_without_a_panic(
        at in 0_usize..600, value: u8, length in 0_usize..600, numbers in any::<[u64; 3]>(),
    ) {
        let whole = with(b"some code", b"constants", b"debug");
        let mut damaged = whole.clone();
        if let Some(byte) = damaged.get_mut(at) {
            *byte = value;
        }
        // Damaged offsets and sizes anywhere.
        for (start, number) in [32, 40, at & !7].into_iter().zip(numbers) {
            let mut silly = whole.clone();
            if let Some(place) = silly.get_mut(start..start + 8) {
                place.copy_from_slice(&number.to_le_bytes());
            }
            let _ = compare(&whole, &silly, FOLDERS);
        }
        damaged.truncate(length);
        let _ = compare(&damaged, &whole, FOLDERS);
        let comparison = compare(&whole, &damaged, FOLDERS);
        // Different code is never taken for the same, whatever is damaged.
        let code = HEADER..HEADER + 9;
        if comparison.is_same_code() {
            prop_assert_eq!(whole.get(code.clone()), damaged.get(code));
        }
    }

    #[test]
    fn any_bytes_are_compared_without_a_panic(base: Vec<u8>, head: Vec<u8>) {
        let file = |bytes: &[u8]| [b"\x7fELF\x02\x01", bytes].concat();
        let _ = compare(&file(&base), &file(&head), FOLDERS);
        prop_assert_eq!(compare(&base, &base, FOLDERS), Comparison::Same);
    }
}
