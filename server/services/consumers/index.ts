// Platforms: their access, limits and coverage. One file an errand, all of them `consumers.…` to the doors.
export {
  ChangeConsumer,
  ChangeShownConsumer,
  type ConsumerRow,
  change,
  changedSince,
  enact,
  fields,
  lock,
  type Wanted,
} from "./access";
export * from "./decisions";
export * from "./find";
export * from "./history";
export * from "./usage";
