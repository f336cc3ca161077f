// What is for adults alone comes after all else that matches: who asks for dolls mostly asks for a child's, and who asks for the
// others by their name finds nothing else (decision 0160).
import type { Sql } from "../../../db/client";
import type { Fragment } from "./card";

/** A kind that such products are filed as in the index, beside their own. It is no word, and no stemmer changes it. */
export const FOR_ADULTS = "foradultsx";

/** SQL: is product `p` such? */
export const isForAdults = (sql: Sql): Fragment => sql`p.title_search @@ '''=foradultsx'''::tsquery`;
