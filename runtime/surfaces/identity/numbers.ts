/** How long things last and how many there may be, in milliseconds where nothing else is said. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Life of an access token, and of an own assertion. */
export const accessTokenMs = hour;
export const assertionMs = hour;
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
