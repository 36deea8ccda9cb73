/** How long things last and how many there may be, in milliseconds where nothing else is said. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Life of an access token, and of an own assertion. */
export const accessTokenMs = hour;
export const assertionMs = hour;
/** The longest life that a token of the terminal can be given (`mostMinutes`). */
export const terminalTokenMs = day;
/** Agent refresh tokens, and the grace in which a client that lost the answer gets it again. */
export const refreshTokenMs = 30 * day;
export const refreshGraceMs = 30 * second;
/** Until when a registration can be claimed, and how long a link and a code of an attempt live. */
export const claimWindowMs = day;
export const attemptMs = 10 * minute;
/** How often a pending claim may be asked for; each time too soon adds as much again. */
export const pollIntervalMs = 5 * second;
/** Session of a person in a browser. */
export const sessionMs = hour;
/** How long a sign-in may take, and how many links may be on their way to one address. */
export const signInMs = 15 * minute;
export const mostLinksPerAddress = 5;
/** How far clocks may differ. */
export const clockSkewMs = minute;

/** Wrong codes of one attempt. */
export const mostWrongCodes = 5;
/** Attempts of one claim. */
export const mostAttempts = 10;

/** Life of a signing key: published before it signs, signing, and published after it has signed. */
export const pendingKeyMs = 20 * minute;
export const activeKeyMs = 30 * day;
export const retiringKeyMs = 75 * minute;

/** Key sets of others: size, how long they are kept, and how often a missing key fetches them anew. */
export const keySetBytes = 64 * 1024;
export const keySetKeepMs = { least: 10 * minute, most: day };
export const keySetFailureMs = 30 * second;
export const leastBetweenKeySetsMs = 30 * second;
export const mostKeysOfSet = 100;

/** Documents in which clients describe themselves. */
export const clientDocumentBytes = 5 * 1024;
export const clientDocumentKeepMs = { least: 5 * minute, most: day };
/** Redirect addresses of one client, and their length. */
export const mostRedirects = 20;
export const longestUrl = 2048;
/** Clients that registered themselves and were never used. */
export const unusedClientMs = 30 * day;
/** Life of an assertion with which a client proves itself. */
export const clientAssertionMs = 5 * minute;
/** Life of an authorization code, and of a request that was pushed. */
export const codeMs = minute;
export const pushedRequestMs = minute;
/** Clocks and memory of DPoP proofs. */
export const proofSkewMs = 5 * minute;
export const proofMemoryMs = 10 * minute;

/** How long a person has for the page that asks whether a client gets access. */
export const consentMs = 15 * minute;
/** How long a person has for the page that asks for more scopes. */
export const elevationMs = 10 * minute;
/** ID-JAG: how long one may live, and how long ago its person may have signed in. */
export const idJagMs = 10 * minute;
export const idJagLoginMs = hour;
/** Assertions of workloads may live as long. */
export const workloadMs = hour;
/** Events of issuers: how old one may be, and its size. */
export const eventAgeMs = 7 * day;

/** How long the claim token brings the assertion of a claim as often as the agent asks. */
export const deliveryMs = 10 * minute;
/** Live attempts, and claims of a day, of one address. */
export const mostLiveAttempts = 3;
export const mostAddressClaimsPerDay = 5;
/** Registrations for a person, and wrong codes, of one network in an hour. */
export const mostServiceAuthPerHour = 5;
export const mostWrongCodesPerHour = 20;
/** How long an agent may wait for news, and how many may at a time. */
export const longestWaitMs = 25 * second;
export const mostWaiting = 500;
