export const sizes = [1_000, 100_000, 1_000_000];
