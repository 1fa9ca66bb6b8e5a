//! Assignment of contacts to rows of a frame.
//!
//! A contact that existed in the previous frame keeps its row, so unchanged data are the same bytes at the same
//! position and are not stored again (see [`voussoir_hdf5::writer`]). New contacts take the rows of removed ones.
//! Without this rule, one new contact at the head of the list would shift all others. If everything moves, no data are
//! unchanged; then contacts are stored in the order of their bodies, which compresses best.

use std::collections::HashMap;

use voussoir_mechanics::snapshot::ContactSnapshot;

/// For every row of the new frame its contact; `before` are the pairs of bodies of the previous frame, row by row. The
/// contacts of one pair are distinguished by their order.
pub fn assign(before: &[[i32; 2]], contacts: &[ContactSnapshot]) -> Vec<usize> {
    let pair = |contact: &ContactSnapshot| contact.bodies.map(|body| body as i32);
    let count = contacts.len();
    if before.len() == count && before.iter().zip(contacts).all(|(old, new)| *old == pair(new)) {
        return (0..count).collect();
    }
    // rows of every pair, from the last to the first: the first is popped first
    let mut rows: HashMap<[i32; 2], Vec<usize>> = HashMap::with_capacity(before.len());
    for (row, pair) in before.iter().enumerate().rev() {
        rows.entry(*pair).or_default().push(row);
    }
    let mut holds: Vec<Option<usize>> = vec![None; count];
    let mut homeless = Vec::new();
    for (index, contact) in contacts.iter().enumerate() {
        match rows.get_mut(&pair(contact)).and_then(Vec::pop) {
            Some(row) if row < count => holds[row] = Some(index),
            _ => homeless.push(index),
        }
    }
    let mut homeless = homeless.into_iter();
    // there are as many free rows as contacts without a row
    holds.into_iter().filter_map(|held| held.or_else(|| homeless.next())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn contact(pair: [u32; 2]) -> ContactSnapshot {
        ContactSnapshot { bodies: pair, ..ContactSnapshot::default() }
    }

    fn in_rows(order: &[usize], contacts: &[ContactSnapshot]) -> Vec<[i32; 2]> {
        order.iter().map(|&index| contacts[index].bodies.map(|body| body as i32)).collect()
    }

    #[test]
    fn one_contact_more_at_the_head_moves_no_other() {
        let before: Vec<ContactSnapshot> = (1..50).map(|i| contact([i, i + 1])).collect();
        let after: Vec<ContactSnapshot> = (0..50).map(|i| contact([i, i + 1])).collect();
        let first = in_rows(&assign(&[], &before), &before);
        let second = in_rows(&assign(&first, &after), &after);
        assert_eq!(first[..], second[..49]);
        assert_eq!(second[49], [0, 1]);
        // and when it is removed, only the contact that takes its row moves
        let third = in_rows(&assign(&second, &before), &before);
        assert_eq!(third, first);
    }

    proptest! {
        #[test]
        fn every_contact_has_one_row_and_survivors_keep_theirs(
            old in prop::collection::vec((0u32..6, 6u32..12), 0..60),
            new in prop::collection::vec((0u32..6, 6u32..12), 0..60),
        ) {
            let list = |pairs: &[(u32, u32)]| pairs.iter().map(|&(a, b)| contact([a, b])).collect::<Vec<_>>();
            let (old, new) = (list(&old), list(&new));
            let before = in_rows(&assign(&[], &old), &old);
            let order = assign(&before, &new);
            let mut seen = order.clone();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..new.len()).collect::<Vec<_>>());
            // as many rows as possible keep their pair
            let after = in_rows(&order, &new);
            let kept = before.iter().zip(&after).filter(|(a, b)| a == b).count();
            let still = |pair: &[i32; 2]| after.iter().filter(|p| *p == pair).count();
            let within: Vec<[i32; 2]> = before.iter().take(new.len()).copied().collect();
            let mut pairs = within.clone();
            pairs.sort_unstable();
            pairs.dedup();
            let possible: usize = pairs.iter().map(|p| still(p).min(within.iter().filter(|q| *q == p).count())).sum();
            prop_assert!(kept >= possible, "{kept} of {possible} kept");
        }
    }
}
