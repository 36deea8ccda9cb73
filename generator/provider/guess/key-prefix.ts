/** A scheme that is called so, and what frameworks suggest to say of it ("JWT with Bearer into field"). */
const frameworkTexts =
  /^(Bearer)(?:[_-]?(?:auth\w*|jwt|token))?$|\b(Bearer)["'`]? (?:into|in the) field\b|\brequired prefix ["'`](\w+)["'`]|\b(Bearer)["'`]? (?:followed by|format\b|\[space\]|authori[sz]ation scheme|scheme\b|prefix\b)/i;

/** Characters of a text that is no more than a header. */
const longestHeader = 200;

/** A text that is the header and nothing else, with a place for the key: "Acme-Key token=<api key>". */
const wholeHeader =
  /^\W*([a-z][\w-]{1,30}(?: [\w-]{1,20}=)?)(?:(?<==)["']?| )[<{[][^<>{}[\]]*(?:jwt|key|secret|token|value)[^<>{}[\]]*[>}\]]\W*$/i;

/** Words of a sentence before the place for a key, which are no part of a header. */
const ordinary =
  /^(?:an?|as|enter|format|header|is|its|key|my|only|the|this|use|value|with|your)$/i;

/** The same, in a text that says of what follows that it is the header: "format: AcmeToken <token>". */
const announced =
  /\b(?:enter|example|format|header|send|textbox|value)\b["'`]?(?: is|:)? ["'`(]*([a-z][\w-]{1,30}) [<{[][^<>{}[\]]{0,60}(?:jwt|key|secret|token)/i;

/** The usual word wherever a place for the key stands behind it: `Bearer {your JWT}`, `Bearer YOUR_TOKEN`. */
const beforePlace =
  /\b(Bearer|Basic)["'`]?:? +(?:["'`]?[<{[$]|(?:your|my)[ _-]?(?!own\b|scheme\b)[a-z])/i;

/**
 * A text that ends in an example of the header, in whatever language: "Beispiel: *AcmeKey x8Kq2...*". What has
 * no letter of the one or the other case is rather an address, where it has a slash or a dot.
 */
const shownWhole =
  /(?:^|[\s"'`*:])(?!(?:GUID|ID|UUID) )([A-Z][\w-]{2,30}) (?=[\w.~+/-]*\d)(?=[\w.~+/-]*[A-Za-z])(?=[\w.~+/-]*[A-Z]|[\w~+-]*(?:[="'`*\s]|\.?$))[\w.~+/-]{20,200}=*["'`*.\s]*$/;

/** The word in quotes, in a language whose words nobody here knows. */
const quotedAlone = /["'`“«](Bearer) ?["'`”»]/i;

/** A text that says that the key is sent as it is. */
const bare = /\b(?:without|no) (?:(?:an?|any|the|word|prefix) ){0,2}["'`]?Bearer\b/i;

/**
 * The scheme in an example of the header (RFC 9110 section 11.4), or in what is said of it; the empty
 * text where there is said to be none.
 */
export function prefixIn(text: string): string | undefined {
  if (bare.test(text)) return '';
  const whole = wholeHeader.exec(text.slice(0, longestHeader))?.[1];
  const found = whole !== undefined && !ordinary.test(whole) ? whole : wordIn(text);
  return found === undefined ? undefined : withMember(found.replace(/^bearer$/i, 'Bearer'), text);
}

/** The scheme with the name before the key, where a text shows one (RFC 9110, section 11.2): `Token token=`. */
function withMember(scheme: string, text: string): string {
  if (/^(?:Bearer|Basic)$|=$/i.test(scheme)) return scheme;
  const shown = new RegExp(String.raw`\b${scheme} ([\w-]*(?:key|token)=)["']?[\w<{[.$]`, 'i').exec(
    text,
  );
  return shown ? `${scheme} ${shown[1]}` : scheme;
}

function wordIn(text: string): string | undefined {
  const shown =
    /Authorization["'`]*\s*[:=]\s*["'`]*(?!(?:an?|the|your) )([A-Za-z][\w-]{1,30})[^\S\n]+[^\s,.;]/i.exec(
      text,
    );
  const quoted = /["'`]([A-Za-z][\w-]{1,30}) (?:[<{[$]|YOUR|\.\.\.|xxx)/i.exec(text);
  const known =
    /["'`](Bearer|Token|Basic) \w/i.exec(text) ??
    /^\W*(Bearer)[ _-]?Token\b/i.exec(text) ??
    /^\W*(Bearer|Basic) *[<{[$]/i.exec(text) ??
    beforePlace.exec(text) ??
    /\b(Bearer) (?:token|authenti|authoriz|scheme|access|jwt)/i.exec(text) ??
    /\b(Basic) (?:auth|credential|scheme|base64)/i.exec(text);
  const said = frameworkTexts.exec(text);
  const sure =
    (shown ?? quoted ?? known ?? beforeIn.exec(text))?.[1] ?? said?.slice(1).find(Boolean);
  if (sure !== undefined) return sure;
  const told = announced.exec(text)?.[1] ?? shownWhole.exec(text)?.[1];
  // "Enter token {your token}" says what to enter, "Token {your token}" how.
  const isWord = told !== undefined && !ordinary.test(told) && !/^(?:jwt|token)$/.test(told);
  return isWord ? told : quotedAlone.exec(text)?.[1];
}

/** How texts speak of the word itself: `the word "Basic" followed by`, `prefix value with "Token "`. */
const beforeIn =
  /\b(?:word|prefix(?:(?:ed)?(?: (?:it|(?:(?:the|your) )?(?:key|token|value)))? (?:with|by))?|prepended with|preceded by|start(?:s|ing)? with)[\s:]+["'`]([A-Za-z][\w-]{1,30})\s?["'`]/i;
