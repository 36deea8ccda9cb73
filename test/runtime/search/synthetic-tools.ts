import type { ToolDocument } from '../../../runtime/search/tool-index.ts';

/** Vendors that do not exist, by what they do; each has the tools of its trade and the common ones. */
const trades: readonly { vendors: string[]; things: [thing: string, detail: string][] }[] = [
  {
    vendors: ['Arbolio', 'Leadmonk', 'Quillforce', 'Norrland CRM', 'Pipewise', 'Cedarly'],
    things: [
      ['contact', 'a person in the address book, with phone numbers and addresses'],
      ['deal', 'an opportunity with its stage, value and expected closing date'],
      ['lead', 'a prospect that nobody has qualified yet'],
      ['campaign', 'a series of mails to a segment'],
      ['quote', 'an offer with line items and a validity date'],
      ['pipeline', 'the stages that deals go through'],
      ['meeting', 'an appointment with its participants and notes'],
      ['segment', 'a saved filter over contacts'],
      ['call', 'a telephone call with its recording and outcome'],
    ],
  },
  {
    vendors: ['Staffolk', 'Peopletree', 'Humanly', 'Rosterbee', 'Payhorn', 'Crewdeck'],
    things: [
      ['employee', 'a person on the payroll, with job title and manager'],
      ['leave request', 'days off that somebody has asked for'],
      ['payslip', 'what was paid for a month, with deductions'],
      ['timesheet', 'hours worked on each day of a week'],
      ['candidate', 'an applicant with documents and interview notes'],
      ['job opening', 'a vacancy that candidates may apply for'],
      ['shift', 'a span of working time in the roster'],
      ['benefit', 'an insurance or allowance that employees can choose'],
      ['performance review', 'the yearly talk between manager and employee'],
    ],
  },
  {
    vendors: ['Freightly', 'Parcelo', 'Harborline', 'Truckwise', 'Depotry', 'Boxhop'],
    things: [
      ['shipment', 'goods on their way, with weight and destination'],
      ['parcel', 'one box with its tracking number'],
      ['carrier', 'a company that transports goods'],
      ['warehouse', 'a building with storage locations'],
      ['pickup', 'a time at which a driver collects parcels'],
      ['customs declaration', 'the papers that a border asks for'],
      ['route', 'the stops of a driver in their order'],
      ['container', 'a steel box at sea, with its port of arrival'],
      ['delivery slot', 'the hours in which somebody is at home'],
    ],
  },
  {
    vendors: ['Mediara', 'Clinicore', 'Wardwise', 'Helixa', 'Pulsebook', 'Carenote'],
    things: [
      ['patient', 'a person in treatment, with allergies and insurance'],
      ['appointment', 'a visit to a doctor at a time'],
      ['prescription', 'a medicine with its dose'],
      ['lab result', 'the values of a blood sample'],
      ['diagnosis', 'a finding with its ICD code'],
      ['referral', 'a letter that sends a patient to a specialist'],
      ['vaccination', 'a shot with its batch number'],
      ['bed', 'a place on a ward'],
      ['insurance claim', 'costs that are handed in to the insurer'],
    ],
  },
  {
    vendors: ['Thermolink', 'Gridnest', 'Voltari', 'Sensorium', 'Homegrid', 'Lumenta'],
    things: [
      ['device', 'a connected thing with its firmware'],
      ['sensor reading', 'a measured value with its time'],
      ['automation', 'a rule that switches devices'],
      ['meter', 'a counter of electricity, gas or water'],
      ['alarm', 'a threshold that was crossed'],
      ['firmware update', 'new software for a device'],
      ['gateway', 'a box that connects devices to the network'],
      ['tariff', 'what a kilowatt hour costs at which hour'],
      ['scene', 'a state of several lamps at once'],
    ],
  },
  {
    vendors: ['Stagepass', 'Ticketora', 'Lodgewell', 'Roomly', 'Tablefor', 'Tourista'],
    things: [
      ['booking', 'a stay or a seat that somebody has reserved'],
      ['guest', 'a person that arrives with a booking'],
      ['venue', 'a place with its seats and capacity'],
      ['room', 'a place to sleep, with beds and equipment'],
      ['rate plan', 'what a night costs under which conditions'],
      ['seat map', 'the rows and seats of a hall'],
      ['voucher', 'a code that lowers a price'],
      ['waiting list', 'people who want a seat that is taken'],
      ['housekeeping job', 'a room that has to be cleaned'],
    ],
  },
  {
    vendors: ['Classmere', 'Lessonry', 'Gradeway', 'Campusly', 'Scholara', 'Tutorbay'],
    things: [
      ['course', 'lessons on a subject, with a teacher'],
      ['student', 'a person enrolled in courses'],
      ['assignment', 'homework with its due date'],
      ['grade', 'a mark for an assignment'],
      ['quiz', 'questions with right answers'],
      ['lesson', 'one hour of a course'],
      ['certificate', 'a proof that a course was completed'],
      ['classroom', 'a room or a video meeting for lessons'],
      ['enrolment', 'the place of a student in a course'],
    ],
  },
  {
    vendors: ['Legalis', 'Contractory', 'Signwell', 'Courtside', 'Deedbox', 'Clausehub'],
    things: [
      ['contract', 'an agreement with parties, clauses and dates'],
      ['signature request', 'people who have to sign a document'],
      ['case', 'a legal matter with its court and file number'],
      ['clause', 'a reusable part of contracts'],
      ['hearing', 'a day in court'],
      ['matter', 'work for a client, with its hours'],
      ['obligation', 'something that a contract demands by a date'],
      ['template', 'a contract with places to fill in'],
      ['trademark', 'a protected name with its classes'],
    ],
  },
  {
    vendors: ['Millworks', 'Factora', 'Boltware', 'Assembly One', 'Orewise', 'Latheon'],
    things: [
      ['work order', 'something to produce, with its quantity'],
      ['bill of materials', 'the parts that a product is made of'],
      ['machine', 'equipment with its running hours'],
      ['inspection', 'a check of quality with its measurements'],
      ['batch', 'goods that were produced together'],
      ['maintenance plan', 'when which machine is serviced'],
      ['supplier', 'a company that delivers parts'],
      ['purchase order', 'parts that were ordered from a supplier'],
      ['stock level', 'how much of a part lies where'],
    ],
  },
];

/** Things that nearly every vendor has. */
const common: readonly [thing: string, detail: string][] = [
  ['user', 'somebody who may sign in, with a role'],
  ['comment', 'a remark below a record'],
  ['file', 'an uploaded document with its size and type'],
  ['message', 'a text that was sent to somebody'],
  ['project', 'records that belong together'],
  ['tag', 'a word that groups records'],
  ['webhook', 'an address that hears of changes'],
  ['report', 'figures over a span of time'],
  ['customer', 'a company that pays'],
  ['event', 'something that has happened, with its time'],
  ['page', 'a text with headings and pictures'],
  ['channel', 'a place for messages on one subject'],
  ['ticket', 'a question of a customer, with its status'],
  ['permission', 'what a role may do'],
];

const verbs: readonly [verb: string, sentence: string, parameters: string][] = [
  [
    'list',
    'List the %s of an account, newest first',
    'limit: Most items to return. cursor: The next_cursor of an earlier answer, to continue after it.',
  ],
  ['get', 'Read one %s by its id', 'id: Id of the %s.'],
  ['create', 'Create a %s', 'name: Name of the %s. description: What it is for.'],
  [
    'update',
    'Change the fields of a %s',
    'id: Id of the %s. name: New name. description: New description.',
  ],
  ['delete', 'Delete a %s for good', 'id: Id of the %s.'],
  [
    'search',
    'Find a %s by words, dates or status',
    'query: Words to look for. status: Only in this status. limit: Most items to return.',
  ],
  ['archive', 'Archive a %s, so that lists leave it out', 'id: Id of the %s.'],
  ['assign', 'Assign a %s to a user', 'id: Id of the %s. user_id: Who takes it.'],
  [
    'export',
    'Export every %s as CSV',
    'since: Only what changed after this time. format: csv or xlsx.',
  ],
];

/** What a search finds in the vicinity of the tool that is wanted; the same `count` for every run. */
export function syntheticDocuments(count: number): ToolDocument[] {
  const all = trades.flatMap(({ vendors, things }) =>
    vendors.flatMap((vendor) =>
      [...things, ...common].flatMap(([thing, detail]) =>
        verbs.map((verb) => documentOf(vendor, [thing, detail], verb)),
      ),
    ),
  );
  if (all.length < count) throw new Error(`the grammar has ${all.length} tools, not ${count}`);
  return all.slice(0, count);
}

function documentOf(
  vendor: string,
  [thing, detail]: [string, string],
  [verb, sentence, parameters]: readonly [string, string, string],
) {
  const provider = vendor.toLowerCase().replaceAll(' ', '_');
  const title = sentence.replace('%s', verb === 'list' ? plural(thing) : thing);
  return {
    tool: `${provider}_${plural(thing).replaceAll(' ', '_')}_${verb}`,
    title,
    text: `${title}. In ${vendor}, that is ${detail}.`,
    parameters: parameters.replaceAll('%s', thing),
    provider,
    providerTitle: vendor,
  };
}

function plural(thing: string): string {
  return thing.endsWith('y') ? `${thing.slice(0, -1)}ies` : `${thing}s`;
}
