/** Verbs of operations that change something, whatever method they use. */
export const changing = new Set(
  `abort accept acknowledge activate add approve archive assign attach ban block buy cancel clear close complete
  confirm connect create deactivate decide decline decrement del delete deny deprovision deregister destroy detach disable disconnect dismiss enable execute
  discard drop erase evict flush freeze generate halt increment install invalidate invite invoke join kick kill
  launch leave lock login logout mark merge move mute
  open pause pay post poweroff publish pull purge push put reboot rebuild redeem refresh refuse reindex register reject reload remove rename reopen
  request reset resend resize restart restore resume revoke rollback rotate run send set share shutdown
  start stop submit subscribe suspend sync terminate transfer trash trigger truncate unarchive unassign unban unblock
  uninstall unlink unlock unmute unpublish unregister unsubscribe update upload upgrade void wipe withdraw write`.split(
    /\s+/,
  ),
);

export const reading = new Set(
  `check count describe download fetch find get list lookup paginate query read retrieve search
  show view`.split(/\s+/),
);

/** Whether a word is a verb of what changes something, and nothing else. */
export function isChangingVerb(word: string): boolean {
  return changing.has(word) && !seldomVerbs.has(word);
}

/** Those that changing verbs share with things and states: behind others they mean these ("issues/open"). */
export const seldomVerbs = new Set(
  `block close complete join leave lock login mark move open post push put request run set share
  upload`.split(/\s+/),
);

/** Those of them that leave no doubt, also where the method promises nothing. */
export const asking = new Set(
  'count describe fetch filter find get info list lookup paginate query retrieve search'.split(' '),
);

/** Verbs of what makes or changes, but for those that words of questions share: who takes a list in their names only reads. */
const making = new Set(
  `alter append apply authenticate authorize build change clone compose consume copy dequeue duplicate edit encrypt
  enroll exchange import initialize inject insert make mint
  modify new overwrite patch pay pop prepend provision rename renew replace reserve save sign sort sync transform upsert`.split(
    /\s+/,
  ),
);

/** Those that are done with what was found ("search and sort"). */
export const arranging = new Set(
  'apply build change compose pay put run send set sort transform'.split(' '),
);

/** Wherever in a name they stand, alone or grown together with what they take ("deleteuser"). */
export const destroying =
  /^(?:cancel(?!l)|delete|destroy|erase|purge|remove|revoke|wipe)(?!e?d)|(?<!un)(?:cancel|delete|destroy|erase|purge|remove|revoke|wipe)s?$/;

/** The same in the languages that summaries are written in; what "has been deleted" is only spoken of. */
export const destroyingElsewhere =
  /(?<![已被])(?:删除|刪除|清空)|削除(?!済|さ)|삭제(?!된|됨)|(?<!\p{L})(?:löschen|löscht?|entfernen|entfernt|supprimer?|eliminar?|borrar?|excluir?|apagar?|cancella|удал(?:ить|яет|ение)|verwijder(?:en|t)?|usuń|usuwa)(?!\p{L})/iu;

/** What makes, sends or keeps something and what changes it in the same languages, without spaces and with them. */
const elsewhere = {
  making: {
    joined:
      '添加|新增|增加|创建|新建|建立|保存|上传|发送|提交|设置|导入|注册|登録|作成|追加|送信|등록|생성|추가|저장',
    spaced: String.raw`anlegen|anlegt|erstell(?:en|t)|hinzufügen|senden|speicher(?:n|t)|ajouter?|créer?|enregistrer?|envoyer?|agregar?|añadir|cadastrar?|crear?|criar?|enviar?|guardar|inserir|insertar?|registrar|salvar?|aggiungere?|creare?|legg(?:er)? til|opprett(?:er|e)?|skapar?|maak|toevoegen|dodanie|dodaj|utworz(?:enie|yć)|wys[łl](?:anie|yłka)|добав\p{L}+|отправ\p{L}+|созда\p{L}+|сохран\p{L}+`,
  },
  changing: {
    joined: '修改|更新|编辑|變更|変更|수정|변경',
    spaced: String.raw`ändern|ändert|aktualisier\p{L}+|bearbeiten|modifier|mettre à jour|actualizar?|atualizar?|editar?|modificar?|aggiorna\p{L}*|endrer?|ändrar?|bijwerken|wijzig\p{L}*|aktualizuj\p{L}*|zmiana|zmień|измен\p{L}+|обнов\p{L}+`,
  },
} as const;

/** What makes or changes something, wherever in a text it stands. */
export const makingElsewhere = new RegExp(
  `${elsewhere.making.joined}|${elsewhere.changing.joined}|(?<!\\p{L})(?:${elsewhere.making.spaced}|${elsewhere.changing.spaced})(?!\\p{L})`,
  'iu',
);

/** How a text begins that says that something is another one afterwards. */
export const overwritingElsewhere = new RegExp(
  `^[^\\p{L}]*(?:${elsewhere.changing.joined}|(?:${elsewhere.changing.spaced})(?!\\p{L}))`,
  'iu',
);

/** How a text begins in them, or what stands in one without spaces, that only asks for something. */
export const askingElsewhere =
  /^\W*(?:查询|查詢|查找|搜索|检索|获取|獲取)|検索|取得|一覧|조회|검색|목록|^[^\p{L}]*(?:abfragen?|abrufen|auflisten|suchen?|chercher?|lister?|obtenir|rechercher?|récup[éè]r(?:er?|ation)|busca[rn]?|consultar?|listar?|obtener|obtiene|obtém|obter|pesquisar?|cerca|elenca|finn(?:er)?|hent(?:er)?|hämtar?|søk|söker?|bevragen|opvragen|raadplegen|zoek(?:en|t)?|lista|pobierz|pobranie|wyszukaj|wyszukanie|найти|поиск|получ(?:ает|ение|ить)|список)(?!\p{L})/iu;

/** How a text begins in them that tells of nothing but the answer. */
export const answeringElsewhere =
  /^[^\p{L}]*(?:返回|(?:devuelve|geeft|liefert|renvoie|restituisce|retorna|retourne|returner(?:er|ar)|возвращает|zwraca)(?!\p{L}))/iu;

/** Who makes one of these by POST destroys, too; who asks for them does not. */
export const destructions =
  /^(?:cancellation|deactivation|deletion|destruction|erasure|eviction|removal|revocation|suspension|termination)s?$/;

/** Those that stand for other things elsewhere than where names have their verb. */
export const destroyingVerbs = new Set(
  `abort archive ban block cleanup clear close compact deactivate decline deduct defragment del demote deny deprovision deregister detach disable
  disconnect discard dismiss downgrade drain drop empty end evict expire flush freeze halt hangup invalidate kick kill leave overwrite pause
  poweroff prune reboot redact regenerate reject reset restart rollback rotate seal shutdown stop subtract suspend terminate trash
  truncate unassign unfollow uninstall unlike unlink unpublish unregister unset unshare unsubscribe void`.split(
    /\s+/,
  ),
);

/** Two words of one act: what is on is off afterwards ("turnOff", "power-down"). */
export const turningOff =
  /\b(?:bring|power|shut|spin|switch|take|tear|turn)(?:ing|s)? (?:down|off)\b|\bstep(?:s)? down\b/;

/** What is ready for something new afterwards, and holds nothing of what it held: done to a thing with an id. */
export const emptying = /^(?:flash|format|initiali[sz]e|reimage|reinstall|swap)$/;

/** What is begun by that word, and holds nothing yet. */
export const begun =
  /^(?:auth\w*|call|chat|checkout|conversation|download|o ?auth|order|payment|session|transaction|transfer|upload)$/;

/** What is there before is not there afterwards, be the method POST as for much else. */
export const overwritingVerbs = new Set(
  'edit modify overwrite patch rename replace update'.split(' '),
);

/** What takes the place of something, which vendors may keep for a while. */
export const replacingVerbs = new Set(['regenerate', 'rotate']);

/** What goes on from where the last call has left it: done twice, it is done two times. */
export const goingOn = new Set(
  `advance append bump charge clone consume copy credit debit decrement deduct dequeue deposit dispatch duplicate enqueue
  execute extend generate import increment insert invite invoke launch mint pay pop prepend push reboot recharge redeem
  refund regenerate renew reply rerun resend restart retry rotate run send shift submit toggle topup transfer trigger undo
  withdraw`.split(/\s+/),
);

/** Whether a verb makes or changes something. */
export function isMaking(verb: string): boolean {
  return changing.has(verb) || making.has(verb);
}
