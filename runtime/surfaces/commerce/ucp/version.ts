/** The version of UCP whose shapes are served. */
export const ucpVersion = '2026-08-25';

/** The names of what is served of it. */
export const checkoutCapability = 'dev.ucp.shopping.checkout';
export const mandateCapability = 'dev.ucp.shopping.ap2_mandate';
