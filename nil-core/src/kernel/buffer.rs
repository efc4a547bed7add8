//! Memory for long bodies and files, which goes back to the system as soon as nobody has it.
//!
//! The C library's allocator keeps what it has once given out in blocks of up to 32 MiB, each thread's
//! for itself: a crowd of uploads would leave its mark for good. A larger block is a mapping of its own.
//! Only what is written to it takes memory, and all of it is given back when it is dropped.

/// A shorter buffer is a block like any other.
const SHORT: usize = 64 * 1024;
/// What the allocator keeps to itself is smaller.
const A_MAPPING: usize = 33 * 1024 * 1024;

/// Makes room for so many bytes more.
pub(crate) fn reserve(buffer: &mut Vec<u8>, more: usize) {
    let whole = buffer.len().saturating_add(more);
    if whole > SHORT && whole > buffer.capacity() {
        let roomy = A_MAPPING.max(whole.saturating_mul(2));
        buffer.reserve_exact(roomy.saturating_sub(buffer.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_buffers_have_a_mapping_of_their_own() {
        let mut buffer = Vec::new();
        reserve(&mut buffer, SHORT);
        assert_eq!(buffer.capacity(), 0);
        reserve(&mut buffer, SHORT + 1);
        assert!((A_MAPPING..2 * A_MAPPING).contains(&buffer.capacity()));
        buffer.resize(A_MAPPING + SHORT, 7);
        reserve(&mut buffer, 2 * A_MAPPING);
        assert!(buffer.capacity() >= 3 * A_MAPPING);
    }
}
