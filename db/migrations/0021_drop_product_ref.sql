-- Named by no statement since the release before (0020).
ALTER TABLE "feed_loads" DROP COLUMN "last_product_ref";
