// Is a table the product export of a shop system? Its column names tell.
import type { ShopExport } from "./export-rows";
import { shopifyExport } from "./shopify";
import { woocommerceExport } from "./woocommerce";

export const shopExportOf = (cells: readonly string[]): ShopExport | undefined =>
  shopifyExport(cells) ?? woocommerceExport(cells);
