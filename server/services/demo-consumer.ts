/** The demo's platform, by its slug. */
export const DEMO_CONSUMER = "demo";
