"""Closed-class words that turn, limit or join a statement, in the languages they are known for.

One union over languages: a quotation carries no language tag, and a word read as a negation by mistake costs a second
look, while one that is missed would let a quotation say the opposite of its source. Words that mean something
frequent and harmless in another language (Italian "mai", Swedish "ni") are left out. All lower case.
"""

from __future__ import annotations


def _set(*languages: str) -> frozenset[str]:
    return frozenset(word for words in languages for word in words.split())


def _tuple(*lines: str) -> tuple[str, ...]:
    return tuple(word for words in lines for word in words.split())


NEGATIONS = _set(
    "not no none nor neither never nobody nothing nowhere cannot without hardly scarcely barely seldom rarely unable",
    "refuse refuses refused fail fails failed deny denies denied prohibit prohibits prohibited",
    "forbid forbids forbidden",
    "nicht nie niemals kein keine keinen keinem keiner keines keinerlei niemand nichts nirgends weder ohne kaum",
    "keinesfalls keineswegs",
    "ne n pas jamais aucun aucune sans ni rien guère nul nulle nullement",  # "n": what an elision leaves of "n'est"
    "nunca jamás ningún ninguna ninguno sin nada nadie tampoco",
    "non nessun nessuno nessuna senza né niente nulla neppure nemmeno neanche",
    "não jamais nenhum nenhuma sem nem ninguém tampouco",
    "niet nooit geen niemand niets nergens zonder evenmin",
    "nie nigdy żaden żadna żadne żadnej żadnego bez ani nikt nic nikdy žádný žádná žádné",
    "inte icke ikke ej aldrig aldri ingen inget inga intet ingenting",
    "не нет ни никогда нельзя без нікому ні никто ничего",
    "değil yok hiç hiçbir asla",
    "لا لم لن ليس ليست غير بدون دون بلا ولا ولم ولن وليس فلا",
    "לא אין בלי ללא אינו אינה ולא שלא ואין",
    "नहीं नही मत बिना",
    "tidak bukan tanpa jangan belum",
    "không chẳng chưa chớ đừng",
    "nem nincs soha sem nélkül",
    "nu niciun nicio fără niciodată",
    "δεν μη μην όχι ποτέ χωρίς κανένας καμία",
)
"""Words that negate what follows them in their clause."""

ADJUNCTS = _set("without ohne sans sin senza sem zonder bez fără nélkül χωρίς بدون دون בלי बिना tanpa")
"""Negations that leave the statement before them as it is ("paid without delay")."""

NEGATIVE_SUBJECTS = _set(
    "no none neither nobody nothing never nor kein keine keinen keinem keiner keines niemand nichts niemals nie weder",
    "aucun aucune nul nulle rien jamais ningún ninguna ninguno nadie nada nunca nessun nessuno nessuna nulla niente",
    "nenhum nenhuma ninguém geen niemand niets nooit żaden żadna żadne nikt nic nigdy ingen inget inga aldrig",
)
"""Negations that govern a whole sentence when they open it, alone or after one word: "In no case ..., and ..."."""

PORTUGUESE = _set("da das ao aos não são uma um em até pelo pela ou à às você é")
"""Words that show that "no" is Portuguese for "in the"."""

LATE_NEGATIONS = _set("nicht niet inte icke ikke ej değil yok नहीं नही")
"""Words that may stand at the end of the clause they negate."""

LATE_NEGATION_STARTS = ("않", "없", "못", "아니")
"""Korean predicates that negate what stands before them."""

SPACELESS_NEGATIONS_BEFORE = _tuple(
    "不 不得 不能 不可 不可以 不会 不會 不予 不应 不應 不允许 不允許 不准 不許 不包括",
    "没 没有 沒 沒有 未 尚未 无 無 无法 無法 非 并非 並非 勿 请勿 請勿 禁止 严禁 嚴禁 ไม่ มิ",
)
"""Chinese, Japanese (prefixed) and Thai: written directly before what they negate."""

SPACELESS_NEGATIONS_AFTER = _tuple(
    "ない なく なかっ ません ぬ ざる ず、 ずに 禁止 不可 対象外 無効",
)
"""Japanese: written at the end of the clause they negate."""

EMPHASES = _set(
    "only just merely nur lediglich bloß seulement uniquement solo sólo solamente soltanto apenas alleen slechts",
    "tylko bara kun endast",
)
"""After a negation these make an emphasis of it ("not only")."""

COMPARATIVES = _set(
    "later earlier sooner longer more less fewer higher lower später früher länger mehr weniger höher niedriger",
    "tard plus moins tarde más menos tardi più meno mais later eerder langer meer minder później więcej mniej",
)
COMPARED = _set("than als que de di dan do niż чем från")
"""A negation before a comparative and one of these is a limit ("no later than")."""

AUXILIARIES = _set(
    "be been being is are was were have has had do does did to it he she they we you i yet ever also then so will",
    "would shall should can could may might must under any circumstances case permitted allowed entitled required able",
    "zu werden wird sein être est sont ser estar essere worden zijn",
)
"""Words between a negation and its predicate that leave it in force."""

CONTRASTS = _set(
    "but however whereas while although though yet instead rather",
    "sondern aber jedoch hingegen während obwohl mais cependant toutefois tandis pero sino aunque mientras",
    "ma bensì però invece mentre mas porém embora enquanto maar echter terwijl hoewel lecz jednak natomiast",
    "utan но а однако хотя ama fakat ancak لكن بل אבל אך लेकिन परन्तु tetapi namun nhưng",
)
"""Words that open a clause in contrast to the one before."""

CONDITIONS = _set(
    "if unless except excepting excluding provided providing only until till subject save besides otherwise whether",
    "wenn falls sofern außer ausgenommen nur vorbehaltlich soweit solange",
    "si sauf excepté hormis seulement uniquement pourvu lorsque tant",
    "salvo excepto sólo solo solamente",
    "tranne eccetto purché soltanto solamente qualora",
    "exceto somente apenas",
    "als indien tenzij behalve mits uitgezonderd alleen slechts",
    "jeśli jeżeli chyba wyjątkiem warunkiem tylko",
    "endast bara förutsatt utom hvis kun unntatt medmindre",
    "если кроме только якщо крім",
    "eğer ancak yalnızca hariç إذا إلا بشرط فقط अगर यदि केवल",
)
"""Words that open a condition, an exception or a limit."""

SPACELESS_CONDITIONS = _tuple(
    "除非 除外 除了 如果 仅限 僅限 只有 但 ただし 場合 除く 除き 限り のみ だけ",
)
"""The same in scripts without blanks."""

JOINS = _set(
    "and or und oder et ou y e ed og och eller oraz lub и или ve veya و أو और या",
)
"""Words that may bring in another subject between two parts of a sentence."""
