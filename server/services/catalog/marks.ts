// The numbers in `products.marks`, as the SQL function product_marks() writes them (migration 0015): what the index
// products_find knows of a product beside its words and tokens. They narrow a search down; the columns decide.

/**
 * Products are dealt by id, sixteen at a time, into 32 slices of about equal size within each stock level:
 * `marks[2] = SLICES * level + 0…31`.
 */
export const SLICES = 32;
/** `SAMPLE + 0…31`: `id % SLICES`, one at a time, so that it tells how many match. Nought has an index of its own, products_sample. */
export const SAMPLE = 768;
/** In stock, preorder or backorder, out of stock, discontinued. */
export const STOCK_LEVELS = 4;
/** As `stock_level()` has it. */
export const LEVEL_OF = { in_stock: 0, preorder: 1, backorder: 1, out_of_stock: 2, discontinued: 3 } as const;
export const EVERY_LEVEL = Array.from({ length: STOCK_LEVELS }, (_, level) => level);
/** What can't be had again. */
export const GONE = LEVEL_OF.discontinued;
/** `PRICE + price_step(amount)`, a quarter octave each: of the price, and of the sale price whether its window is open or not. */
export const PRICE = 256;
export const PRICE_STEPS = 256;
/** Has a sale price. */
export const HAS_SALE = 512;
/** `RATING + RATING_STOCK * stock level + 0…50`: tenths of a star, of five. */
export const RATING = 1024;
export const RATING_STOCK = 64;
export const RATING_STEPS = 50;
/** `BLOCK + id / BLOCK_SIZE`: products that came at about the same time. */
export const BLOCK = 2048;
export const BLOCK_SIZE = 4096;
