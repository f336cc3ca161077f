// People's tries: so many in so many seconds, counted before the try and given back where it was no guess.
// Accounts are named by their address, whether or not there is one, so that a refusal tells nothing.
import { setTimeout as sleep } from "node:timers/promises";
import * as clock from "./clock";
import { DomainError } from "./errors";
import { hashed, type limiterOn, network, networkOf } from "./limit-store";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const tries = {
  /** One network at one account: strict, since nobody else suffers from it. */
  logInHere: { limit: 5, seconds: 15 * MINUTE },
  /** One network at any account: an office behind one address still gets in. */
  logInNetwork: { limit: 50, seconds: 15 * MINUTE },
  /**
   * All networks at one account, but for those that the person has logged in from lately. From `slowFrom` on each try
   * waits longer; at the limit strange networks are refused. So a crowd of strangers cannot lock the owner out: where
   * they are known they get in, and elsewhere a reset of the password lets them in at once.
   */
  logInAccount: { limit: 100, seconds: HOUR, slowFrom: 20, slowestMs: 2_000 },
  /**
   * One browser, at an account that was logged in with it before: counted by itself, so that nobody else's tries count
   * against it, not even those of its own network.
   */
  logInDevice: { limit: 10, seconds: 15 * MINUTE },
  /** All such browsers of one account: whoever has collected their cookies may not guess with one after the other. */
  logInDevices: { limit: 30, seconds: 15 * MINUTE },
  /** A known network stays known for so long, and until the password is changed. */
  knownNetwork: { seconds: 30 * DAY },
  /** The current password, asked again of somebody who is logged in. */
  passwordAgain: { limit: 10, seconds: 15 * MINUTE },
  /** Codes of one account's second factor, after the right password; a new password begins a new count. */
  code: { limit: 10, seconds: HOUR },
  /** The same, whatever the password: whoever has the mailbox, and resets it again and again, gets no more of them. */
  codeOfDay: { limit: 20, seconds: DAY },
  /** All that is stored about a person: nothing costs us more to answer. */
  ownData: { limit: 10, seconds: HOUR },
  /** Reports of leaked keys; each may cost a look at who signed it. */
  leakReport: { limit: 60, seconds: MINUTE },
  signUpNetwork: { limit: 30, seconds: HOUR },
  /** Links asked for by one network, for whatever address. */
  linkNetwork: { limit: 30, seconds: HOUR },
  /** Mails of one kind to one address: nobody's mailbox is flooded through us. */
  mailTo: { limit: 3, seconds: HOUR },
} as const;

const TRY_AGAIN = "then try again";

/** A try that was counted. */
export interface Try {
  /** Which it is, of its window. */
  count: number;
  /** It does not count: for what succeeded, or was not looked at. */
  giveBack: () => Promise<void>;
}

export function createTries(limiter: ReturnType<typeof limiterOn>) {
  /** Counts a try. @throws DomainError rate_limited */
  async function take(
    key: string,
    { limit, seconds }: { limit: number; seconds: number },
    advice = TRY_AGAIN,
  ): Promise<Try> {
    const counted = await limiter.consume(key, 1, { customDuration: seconds });
    if (counted.consumedPoints > limit) throw tooMany(counted.msBeforeNext, advice);
    const until = clock.now().getTime() + counted.msBeforeNext;
    return {
      count: counted.consumedPoints,
      async giveBack() {
        // In another window there is nothing of it to give back, nor where tries began anew.
        if (clock.now().getTime() < until && (await limiter.get(key)))
          await limiter.reward(key, 1, { customDuration: seconds });
      },
    };
  }

  /** Counts nothing. @throws DomainError rate_limited */
  async function refuseSpent(key: string, { limit }: { limit: number }): Promise<void> {
    const counted = await limiter.get(key);
    if (counted && counted.consumedPoints >= limit) throw tooMany(counted.msBeforeNext, TRY_AGAIN);
  }

  return {
    /**
     * Before a password is looked at. May wait, up to 2 s.
     * @param device the browser's name, if it has shown that this account was logged in with it (`cookies.knownDevice`)
     * @returns all that was taken, what counts against others first: to be given back unless a password was guessed
     * @throws DomainError rate_limited
     */
    async logIn(account: LogInOwner, address: string, device?: string): Promise<Try[]> {
      const advice = "or reset your password, then try again";
      if (device !== undefined) {
        const ofDevice = await take(logInKeys.device(device), tries.logInDevice, advice);
        return [await take(logInKeys.devices(account), tries.logInDevices, advice), ofDevice];
      }
      // Looked at first: whoever goes on neither fills the table with addresses that they make up, nor has others wait for one row.
      await refuseSpent(logInKeys.network(address), tries.logInNetwork);
      const here = await take(logInKeys.here(account, address), tries.logInHere, advice);
      const ofNetwork = await take(logInKeys.network(address), tries.logInNetwork);
      if (await limiter.get(logInKeys.known(account, address))) return [ofNetwork, here];
      const { slowFrom, limit, slowestMs } = tries.logInAccount;
      const ofAccount = await take(logInKeys.account(account), tries.logInAccount, advice);
      const { count } = ofAccount;
      if (count > slowFrom) await sleep((slowestMs * (count - slowFrom)) / (limit - slowFrom));
      return [ofNetwork, ofAccount, here];
    },

    /** After a log-in, or a reset by a link to the account's own mailbox: tries from here begin anew, and the network is known. */
    async loggedIn(account: LogInOwner, address: string, device?: string): Promise<void> {
      await Promise.all([
        limiter.delete(device === undefined ? logInKeys.here(account, address) : logInKeys.device(device)),
        limiter.set(logInKeys.known(account, address), 1, tries.knownNetwork.seconds),
      ]);
    },

    /** @throws DomainError rate_limited after 10 tries in 15 minutes */
    passwordAgain: (accountId: string) => take(`password-again:${accountId}`, tries.passwordAgain),

    /** The same, of somebody who has a link: counted apart, so that they spend none of the person's own tries. */
    passwordByLink: (accountId: string) => take(`password-by-link:${accountId}`, tries.passwordAgain),

    /**
     * Before a code of somebody's second factor is looked at.
     * @throws DomainError rate_limited after 10 in an hour that were wrong
     */
    code: (account: CodeOwner) => take(codeKey(account), tries.code),

    /**
     * Before the first code of an app that is being set up is looked at. Counted apart: the count of log-ins' codes decides
     * when the account's owner is warned.
     * @throws DomainError rate_limited after 10 in an hour
     */
    setUpCode: (account: CodeOwner) => take(`set-up-${codeKey(account)}`, tries.code),

    /** Beside `code`, before a log-in's is looked at. @throws DomainError rate_limited after 20 in a day, none of them right */
    codeOfDay: (accountId: string) => take(codesOfDayKey(accountId), tries.codeOfDay, "or ask an operator"),

    /** A right one came, or the account has no second factor any more. */
    forgetCodesOfDay: async (accountId: string): Promise<void> => void (await limiter.delete(codesOfDayKey(accountId))),

    /** @throws DomainError rate_limited after 10 in an hour */
    ownData: (accountId: string) => take(`own-data:${accountId}`, tries.ownData),

    /** @throws DomainError rate_limited after 60 in a minute from one network */
    leakReport: (address: string) => take(`leak-report:${network(address)}`, tries.leakReport),

    /** @throws DomainError rate_limited after 30 in an hour from one network */
    signUp: (address: string) => take(`sign-up:${network(address)}`, tries.signUpNetwork),

    /**
     * A mail with a link, whoever asks for it. Signing up and asking for another such link both count as `verify`.
     * @throws DomainError rate_limited after 3 of this kind to this address in an hour, or 30 from one network
     */
    async linkTo(kind: "verify" | "reset" | "change-email", email: string, address: string): Promise<void> {
      await take(`link:${network(address)}`, tries.linkNetwork);
      await take(`mail:${kind}:${hashed(email)}`, tries.mailTo, "and check for the emails already sent");
    },
  };
}

/** Whose codes are tried, and since which password. */
interface CodeOwner {
  id: string;
  passwordVersion: number;
}
const codeKey = ({ id, passwordVersion }: CodeOwner) => `code:${id}:${passwordVersion}`;
const codesOfDayKey = (accountId: string) => `codes-of-day:${accountId}`;

/** Whose password is tried, and which: 0 where there is no such account. */
interface LogInOwner {
  email: string;
  passwordVersion: number;
}
const logInKeys = {
  here: ({ email }: LogInOwner, address: string) => `log-in:${hashed(`${email} ${networkOf(address)}`)}`,
  network: (address: string) => `log-in-network:${network(address)}`,
  device: (device: string) => `log-in-device:${hashed(device)}`,
  devices: ({ email }: LogInOwner) => `log-in-devices:${hashed(email)}`,
  account: ({ email }: LogInOwner) => `log-in-account:${hashed(email)}`,
  known: ({ email, passwordVersion }: LogInOwner, address: string) =>
    `log-in-known:${hashed(`${email} ${passwordVersion} ${networkOf(address)}`)}`,
};

function tooMany(waitMs: number, advice: string): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  const [count, unit] = seconds < 60 ? [seconds, "second"] : minutes <= 120 ? [minutes, "minute"] : [hours, "hour"];
  const wait = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return new DomainError("rate_limited", `Too many attempts. Wait ${wait}, ${advice}.`, {
    details: { retry_after: seconds },
  });
}
