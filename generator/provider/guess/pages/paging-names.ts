/**
 * Vendors put their names for a page inside of others: `page[number]`, `listOptions.continue`, `$top`, `_page`.
 * `per.page` is one of them by itself.
 */
export const named = (names: string) =>
  new RegExp(`^(?:(?!per[.[])\\w+[.[]|[$_])?(?:${names.replaceAll('_?', '[-_]?')})\\]?$`, 'i');

export const cursorNames = named(
  'cursor(?:_?id)?|page_?token|next_?(?:page_?)?(?:token|cursor|id)?|next_?(?!\\w*sync)\\w+_?(?:id|token|cursor|key)|(?:search_?)?after|(?:start|page|after)_?cursor|(?:page_?)?after|after_?(?:id|key)|starting_?after(?:_?id)?|start_?after(?:_\\w+_id)?|marker|continue(?:_?from)?|(?:batch|continu(?:ation|e)|pagination|scroll|skip|start)_?token|page_?(?:id|key)|start_?id|iterator|bookmark|pagination_?key|resume(?:_?token)?|since_?id|last_?(?:id|key|seen_?id)|exclusive_?start_?key',
);
/** What may as well be the id of a page that things belong to, as in the API of a site. */
export const pageIds = named('page_?id');
/** Besides English as the languages of the south and of the middle of Europe have them. */
export const pageNames = named(
  'page|page_?(?:number|num|no|nr|index)|current_?page|number|(?:n(?:um(?:ero)?)?_?)?pagina(?:_?(?:actual|atual|corrente))?|seite(?:n_?(?:nr|nummer|zahl))?|(?:nr|numer)_?strony|strona',
);
export const offsetNames = named(
  '(?:page_?|row_?|item_?|record_?|result_?)?offset|skip|start|start_?(?:at|index|row|record|item)|from|first_?result',
);
/** A start beside an end is that of a time or of a part, not the number of an item. */
export const rangeStarts = named('start|from');
export const rangeEnds = named('end|to|until|stop');
export const limitNames = named(
  'limit|per(?:_?|\\.)page|page_?(?:size|limit)|pagelen|(?:hits|items|records|results|rows)_?per_?(?:page|read)|max_?(?:results|items|records)|count|size|take|top|first|rows|(?:elementi|elementos|itens|items|registros|resultados)_?(?:por|per)_?pagina|(?:dimensione|tamanh?o)_?(?:d[ae]_?)?(?:la_?)?pagina|limite|(?:eintraege|treffer)_?pro_?seite|seiten_?groesse|rozmiar_?strony',
);
