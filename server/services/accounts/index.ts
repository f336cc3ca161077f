// People who sign in: one file an errand, all of them `accounts.…` to the doors.
export * from "./deletion";
export type { AwaitsCode, LoggedIn } from "./entry";
export { Email } from "./fields";
export * from "./log-in";
export * from "./log-out";
export * from "./operators";
export { ownData } from "./own-data";
export {
  ChangeEmail,
  ChangeName,
  ChangePassword,
  ConfirmEmail,
  changeEmail,
  changeName,
  changePassword,
  confirmEmail,
  ExpectAccount,
  PeekEmail,
  peekEmail,
  profile,
  WithdrawEmail,
  withdrawEmail,
} from "./profile";
export { PeekReset, peekReset, RequestReset, Reset, requestReset, reset } from "./reset";
export * from "./second-factor";
export * from "./sign-up";
