// The numbers in `products.marks`, as the SQL function product_marks() writes them (migration 0000): what the index
// products_find knows of a product beside its words and tokens. They narrow a search down; the columns decide.

/** Products are dealt by id into 32 slices of equal size within each stock level: `marks[2]`. */
export const SLICES = 32;
/** The first slice of a stock level: in stock, preorder or backorder, out of stock, discontinued. */
export const SLICE = { inStock: 0, later: SLICES, outOfStock: 2 * SLICES, gone: 3 * SLICES, end: 4 * SLICES } as const;
/** `PRICE + price_step(amount)`, a quarter octave each: of the price, and of the sale price whether its window is open or not. */
export const PRICE = 256;
export const PRICE_STEPS = 256;
/** Has a sale price. */
export const HAS_SALE = 512;
/** `RATING + 0…50`: tenths of a star, of five. */
export const RATING = 1024;
export const RATING_STEPS = 50;
/** `BLOCK + id / BLOCK_SIZE`: products that came at about the same time. */
export const BLOCK = 2048;
export const BLOCK_SIZE = 4096;
