CREATE INDEX "products_sample" ON "products" USING gin ("search","title_search",ts_filter("title_search", '{a}'),"tokens","marks") WHERE "products"."id" % 32 = 0;--> statement-breakpoint
DROP INDEX "search_words_trigrams";--> statement-breakpoint
CREATE INDEX "search_words_trigrams" ON "search_words" USING gist ("word" gist_trgm_ops) WHERE "search_words"."word" !~ '[0-9]';
