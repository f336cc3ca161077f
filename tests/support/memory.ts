// What a test's processes do with memory that they no longer use: they keep it. On virtual machines a page that is taken
// anew costs far more than what is done with it: half of the time of a password's hash, a tenth of everything else.

/** For glibc, which PostgreSQL and Node allocate by, and mimalloc, which hashes do. */
export const keepMemory = {
  MALLOC_TOP_PAD_: `${32 * 2 ** 20}`,
  MALLOC_TRIM_THRESHOLD_: `${256 * 2 ** 20}`,
  MALLOC_MMAP_THRESHOLD_: `${32 * 2 ** 20}`,
  MIMALLOC_PURGE_DELAY: "-1",
};
