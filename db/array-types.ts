/**
 * The types of PostgreSQL's own of which we send or read arrays: each one's number and that of its arrays, which no release changes
 * (pg_type.dat). postgres.js would ask for them on every connection, at 9 ms of processor time each.
 */
export const ARRAY_TYPES = [
  [16, 1000], // bool
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
] as const;
