// Every tool, in the fixed order of tools/list. A new tool is one file and one line here.
import { checkInventory } from "./check-inventory";
import { getLoyaltyProgram } from "./get-loyalty-program";
import { getOffers } from "./get-offers";
import { getProduct } from "./get-product";
import { getPromotions } from "./get-promotions";
import { getStoreInfo } from "./get-store-info";
import { listCategories } from "./list-categories";
import { listStores } from "./list-stores";
import { lookupProducts } from "./lookup-products";
import { searchProducts } from "./search-products";
import { searchStorePolicies } from "./search-store-policies";
import type { Tool } from "./tool";

export const tools: readonly Tool[] = [
  searchProducts,
  getProduct,
  lookupProducts,
  listStores,
  getStoreInfo,
  listCategories,
  searchStorePolicies,
  getOffers,
  getPromotions,
  getLoyaltyProgram,
  checkInventory,
];
