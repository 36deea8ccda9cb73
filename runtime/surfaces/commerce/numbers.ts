/** Numbers of commerce; those that bound something stand in docs/limits.md, times in milliseconds. */

/** How long an authorization to pay is good for where its price does not say. */
export const usualTimeoutMs = 300_000;
/** The longest that a payment or a credential can be in base64: no honest one has a tenth of it. */
export const longestProof = 32_768;
/** The longest header `Accept-Payment` that is read, in characters. */
export const longestPreference = 1024;
/** The shortest key that counts as the name of a payment: what is shorter can be guessed. */
export const leastName = 16;
/** Length of a signature by a key, in hexadecimal with what stands before it. */
export const keySignature = 132;

/** How long one answer of a node of a chain may take. */
export const rpcTimeoutMs = 10_000;
/** The longest answer of a node: what is asked for together takes a hundredth of it. */
export const mostRpcBytes = 8_388_608;
/** How long somebody who pays waits for a block; after it the payment is pending. */
export const receiptTimeoutMs = 40_000;
/** How often the node is asked for new blocks, and how soon for the first time. */
export const pollingMs = 250;
export const firstLookMs = 20;
/** How long what the node says of fees holds. */
export const feesMs = 1000;
/** How often a transaction is numbered anew when somebody else has used its number. */
export const mostTries = 5;
/** Transactions of one account that are on their way at a time. */
export const mostFlights = 5000;
/** After so long without a step an account sends its first transaction again, for more. */
export const stuckMs = 15_000;
/** How often it does: the fee is ten times as high then. */
export const mostBumps = 10;
/** Looks in a row without a receipt after which a number counts as used by another transaction. */
export const roundsWithout = 8;
/** How long the server waits at its start for what chain its node belongs to. */
export const chainIdTimeoutMs = 3000;
/** Questions that go to a node in one request. */
export const mostBatched = 50;
/** How far back the transaction of a payment is looked for: a day on a chain of two seconds. */
export const mostBlocks = 43_200;

/** The longest that one answer of a facilitator takes (x402 v2, its clients wait so long). */
export const facilitatorTimeoutMs = 90_000;
export const mostFacilitatorBytes = 65_536;

/** What somebody who has paid and cannot be served yet is told to wait. */
export const retryMs = 5000;
/** How long the copy of a payment waits for the first one, and how often it looks for what came of it. */
export const copyWaitMs = 30_000;
export const lookMs = 100;
/** What is still in work after this has lost its process. */
export const leftMs = 4_500_000;
/** After so long without a step, a checkout session that is being paid is looked after by whoever asks. */
export const leftSaleMs = 30_000;
/** How long a settlement that was begun may take before the chain is asked. */
export const settlingMs = 120_000;
/** After its end an authorization can be taken no more; clocks and blocks differ by less than this. */
export const graceMs = 300_000;
/** Blocks whose events a node is asked for at a time. */
export const blocksAtOnce = 2000;
/** How far the clock of a chain may be behind. */
export const clockSlackMs = 5000;
/** The largest time that a row keeps. */
export const longestTime = 8_640_000_000_000_000;
/** How long a payment is remembered that was refused before any money was moved. */
export const keptMs = 86_400_000;
/** The shortest time for which something may have to be paid: a settlement needs some of it. */
export const leastTimeoutMs = 30_000;
/** Payments that are read from the store at a time to be looked after. */
export const mostAtOnce = 100;
/** How long an order to pay back is good for. */
export const refundValidMs = 3_600_000;
/** Entries of the ledger that are read from the store at a time. */
export const mostEntriesAtOnce = 1000;
/** Payments that the operator is shown at a time. */
export const mostListed = 100;
/** Differences that `payments reconcile` tells. */
export const mostProblems = 100;
/** How far back `payments reconcile` looks movements up where it is not told. */
export const evidenceMs = 604_800_000;
/** Movements that are looked up at a time. */
export const looksAtOnce = 10;
/** Ether, in its smallest unit, below which the account that pays the gas is said to need some. */
export const leastGasWei = 100_000_000_000_000n;
/** Receipts that a caller is shown where it does not say how many. */
export const usualReceipts = 5;

/** How long one answer of the processor of cards may take, and how often one is asked for again. */
export const processorTimeoutMs = 20_000;
export const processorRetries = 2;
/** The longest of its answers: a hundred of its events take a tenth of it. */
export const mostProcessorBytes = 8_388_608;
/** The largest charge, in the smallest unit of its currency. */
export const mostMinorUnits = 99_999_999;
/** Charges of the same minutes among which one is looked for whose id never came. */
export const mostCharges = 10_000;
/** Refunds of one payment that may fail before nobody tries any more. */
export const mostRefunds = 3;
/** How old what the processor has signed may be. */
export const webhookToleranceMs = 300_000;
/** How long it is remembered that something was told: the processor tells nothing again after it. */
export const toldMs = 2_592_000_000;
/** How far back the processor is asked for what it has told. */
export const mostUntoldMs = 259_200_000;
/** For how long the processor knows a use by its name; told again after it, it would count twice. */
export const knownUseMs = 82_800_000;
/** How old a use may be of which the processor is told: it takes none that is older than 35 days. */
export const oldestUseMs = 2_937_600_000;
/** How long a use is kept of which nobody has to be told any more. */
export const keptUseMs = 3_456_000_000;
/** Tools whose prices stand in /openapi.json, of which registries read 64 KB; payments.json has all. */
export const mostPricedTools = 100;
/** How long a signature of a document serves, which caches keep as long. */
export const signedForMs = 300_000;
/** The longest input schema of a tool that is told where it costs something, as JSON; clients send it back. */
export const longestToldSchema = 4096;

/** How long a checkout session can be paid, and how long one that was not is kept after it. */
export const sessionLifeMs = 21_600_000;
export const keptSessionMs = 86_400_000;
/** Sessions of one caller that are kept and were not paid. */
export const mostUnpaidSessions = 1000;
/** Different things in one checkout session. */
export const mostCheckoutLines = 20;
/** How long an agent platform may take to hear of an order, and how long its answer may be. */
export const hookTimeoutMs = 10_000;
export const mostHookBytes = 65_536;
/** The longest profile of a platform or set of keys, and how long it is kept. */
export const mostProfileBytes = 262_144;
export const profileMs = { least: 60_000, most: 3_600_000 } as const;
/** How long a mandate is good for after it was signed, whatever else it says. */
export const mandateLifeMs = 3_600_000;
/** Parts of which a mandate may consist, and what may be disclosed in it. */
export const mostMandateHops = 4;
export const mostDisclosures = 200;
/** By how much the clock of whoever signs a mandate may differ. */
export const mandateSkewMs = 60_000;
/** How long it is known for what a mandate was shown: longer than one may be good for. */
export const keptMandateMs = 34_560_000_000;
/** The latest end that a mandate may have, so that nobody forgets what it was shown for before. */
export const latestMandateMs = 31_536_000_000;
