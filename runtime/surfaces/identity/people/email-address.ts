/** Most characters of an address (RFC 5321 section 4.5.3.1). */
const longest = 254;
/** A local part without quotes and a domain of at least two labels. */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** An e-mail address as it is kept and compared, in lower case; nothing where the text is none. */
export function emailAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return address.length <= longest && form.test(address) ? address : undefined;
}

/** The domain of an address, which may be told where the address may not. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
