"""Cues of negation in English and Chinese, as ``kg.text._cues.CueLexicon`` reads them."""

from typing import Final

_NEGATED_VERBS = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "ai")
_NOT = "|".join(
    ["not", "never", "n't"]
    + [f"{verb}n't" for verb in _NEGATED_VERBS]
    + [f"{verb}nt" for verb in _NEGATED_VERBS]
)
NEGATION_MACROS: Final = {
    "adv": "(?: (?:really|quite|very|so|too|particularly|entirely|completely|fully|necessarily"
    "|always|even|yet|all that|exactly|totally|usually))?",
    # the rest of a negated verb phrase ("has not ever had any")
    "verb": "(?: (?:any|ever|having|have|has|had|been|be|that|he|she|they|you|i|him|her|there|is|are|was"
    "|were|really|actually|currently|recently|previously|also|seem|seems|appear|appears|to|get|gets|feel|feels"
    "|feeling|felt|report|reports|notice|noticed|noted|see|seen|saw|complain|complained|complaining|of"
    "|experience|experienced|experiencing|reporting|got|gotten|getting|show|showed|shown|reveal"
    "|revealed|demonstrate|demonstrated|suffer|suffered|suffering|from|develop|developed|diagnosed"
    "|with|find|found|think|believe|suggest|indicate|describe|endorse|admit|mention|state|use|take"
    "|taking|taken|used|drink|smoke|it's|its|it)){0,7}",
}
"""Regular expressions that several cues share, by name."""

_PRE = f"""
no
no one {{verb}}
no one else {{verb}}
nobody {{verb}}
nobody else {{verb}}
neither|nor
none of
nor (?:did|does|do|has|have|had|is|was) (?:he|she|i|they|we|it){{verb}}
nobody|none|no (?:one |body )?(?:else )?(?:in|of|on) (?:[a-z']{{1,12}} ){{0,5}}(?:has|have|had|is|suffers){{verb}}
neither (?:has|have|had|is|was|does|do|did){{verb}}
{_NOT} {{verb}}
{_NOT} {{adv}} (?:positive|significant|notable|remarkable|suggestive|consistent|indicative|diagnostic|concerned|suspicious|known)(?: (?:for|of|with|about))?
{_NOT} (?:(?:due|related|secondary|attributable|allergic) to|because of|caused by|test positive for|tested positive for|been diagnosed with|have to do with)
no (?:evidence|history|hx|h/o|signs?|symptoms?|indications?|findings?|suspicion|sensation|features|complaints?|family history|past history|prior history|personal history|past medical history|medical history|significant history|known history|previous history)(?: or (?:symptoms?|signs?|evidence|history))?(?: (?:of|for|suggestive of|suggesting|concerning for|consistent with|to suggest))?
no (?:reports?|mention|record|documentation|recollection) of
no (?:current |recent |prior )?(?:reported|documented|recorded|noted|stated|described|endorsed|mentioned|observed|observable|apparent|obvious|visible|palpable|known|associated|subjective)(?: (?:history|evidence|signs?|symptoms?|complaints?|episodes?)(?: of)?)?
negative for
negative ?:
cannot|can't|couldn't|{_NOT} {{adv}} (?:recall|remember) (?:ever )?(?:having|any){{verb}}
negative (?:as far as|in terms of|with (?:respect|regard) to|in regards? to)
negative (?:test|tests|testing|result|results|culture|cultures|screen|screening|workup) for
neg for
w ?/ ?o
negative history of
without
without (?:any )?(?:evidence|signs?|history|symptoms?|complaints?|indications?)(?: or (?:symptoms?|signs?))? of
denies|denied|denying|deny {{verb}}
denies|denied|denying|deny (?:any )?(?:current |prior |past |recent |known |associated )?(?:history|hx|symptoms?|signs?|family history|episodes?) of
free|clear of|from
absence|lack of
lack|lacks|lacking
unaware|ignorant of any
{_NOT} aware of any
{_NOT} (?:been |really |at all )*(?:bothered|troubled) by(?! (?:the|this|that|these|those|his|her|my|your|their|its))
rather|instead than|of
as opposed to
no longer{{verb}}
rules|ruled out(?: for)?
excludes|excluded
fails|failed|failure to (?:reveal|show|demonstrate|find)
unrelated to
unremarkable for
declines|declined
nil
zh 无 並无 并无 无明显 无明确 无任何 毫无 从无 既往无 尚无 均无 暂无 亦无 也无 绝无 未见 未见明显 未见明确 未见有 未发现 未发现明显
zh 未发生 未出现 未检出 未查见 未探及 未提示 未引出 未诉 未患 未有 未曾 未觉 未感 未伴 未伴有 未闻及 未闻及明显 未触及 未触及明显
zh 均未见 均否认 均未闻及 均未触及 均未引出 未扪及 未及 未查出 未查及 未得过 未做 未行 没 没有 没有过 没得过 没患过 没有得过 没有出现 没出现 没发现 没有发现 没感觉 没有感觉 没觉得 没做过
zh 没有做过 没查出 没有查出 没吃过 没用过 没伴 没有谁患有 没有谁有 没有人患有 没有人有 没人有 没人患 没有人患 没有人得 没人得 无人患 无人有 从没 从没有 从来没 从来没有 从未 从未有过 从未出现 不伴 不伴有 不存在 不是 不属于 不考虑 不符合
zh 不支持 不像 不像是 不觉得 不感觉 不感到 不含 不患 并非 绝非 并不是 并未 并未出现 并没有 并没 也没有 也没 都没有 都没 还没有 否认 否认有 否认过 否认曾
zh 否认既往 否认存在 否认患有 否认出现 否认近期 缺乏 排除 排除了 排除是 排除了是 已排除 可排除 除外 已除外 可除外 没什么 没有什么 没有任何 没有明显 没啥 没有患
"""

_PRE_NEAR = """
negative
absent
not
zh 未 不会 不再 不太 不怎么 不发 不觉 不感 没怎么
"""

_PRE_ADJACENT = """
non
zh 不 非
"""

_PRE_OR_POST = """
negative absent 未见 未见异常 未见明显异常 未闻及 未触及 未扪及 未引出 未及 未检出 未查见 未探及 未发现
未触到 未闻 未触 未出现 已排除 可排除 已除外 可除外 均无 都没有 均未见 均否认 都没 也没有 无
"""

_SEEN = (
    "(?:seen|noted|observed|detected|found|identified|appreciated|present|heard|palpated|palpable"
    "|demonstrated|evident|elicited|visualized|visible|reported|felt|the case|an issue|a problem|exhibited)"
    # what was not there earlier is there now
    "(?! (?:prior to|before|until|previously|earlier|initially|at (?:first|baseline)|on admission))"
)
_GONE = "(?:ruled out|excluded|absent|negative(?! (?:for|except))|denied|nonexistent)"

_POST_ONE = f"""
is|was (?:also |now |completely |definitively |clinically )?{_GONE}
has (?:also |now |already )?been (?:ruled out|excluded|denied)
is|was (?:not|n't|never|no longer) (?:clearly )?{_SEEN}
is|was n't (?:been )?{_SEEN}
isn't|wasn't|hasn't (?:been )?{_SEEN}
has not been {_SEEN}
"""

_POST_BARE = f"""
denied ?(?=[.,;)，；。]|$)
excluded ?(?=[.,;)，；。]|$)
ruled out(?= ?(?:[.,;)，；。]|$))
not {_SEEN}
free
: ?(?:no|none|denies|denied|negative|absent|nil|never|not present)(?= ?(?:[.,;|)]|$))
( ?(?:-|\u2212|\u2013|neg|negative|absent|denied) ?[)）]
（ ?(?:-|\uff0d|\u2212|\u2013|阴性|阴) ?[)）]
zh ：(?:无|否|否认|没有|未见|阴性|不详)(?=[，。；,;.、\\s]|$)
zh :(?:无|否|否认|没有|未见|阴性)(?=[，。；,;.、\\s]|$)
zh 0(?=\\s?次) 零次
zh 阴性 均阴性 均为阴性 呈阴性 为阴性 均呈阴性 被排除 阙如 缺如
"""

_POST_ALL = f"""
are|were (?:also |all |both |now )?{_GONE}
have (?:also |all |both )?been (?:ruled out|excluded|denied)
are|were (?:not|n't|never) {_SEEN}
aren't|weren't {_SEEN}
have not been {_SEEN}
"""

_NOT_PSEUDO = (
    "(?:only|just|merely|simply|sure|certain|clear|know|known (?:if|whether|why)|improve|improved"
    "|improving|improvement|better|relieved|resolve|resolved|resolving|responded|respond|responding"
    "|responsive|controlled|control|manage|managed|help|helped|helping|changed?|gotten better"
    "|get(?:ting)? better|getting worse|worsened|gone away|go(?:ing)? away|stopped|stop|rule out|ruled out"
    "|be ruled out|been ruled out|exclude|excluded|be excluded|cause|caused|bother|bothered|mean"
    "|affect|affected|interfere|interfered|mind|(?:remember|recall)(?! (?:ever )?(?:having|any)\\b)|understand|realize|follow"
    "|followed|tolerated?|tolerating|treated for|want|like|limited to|until|uncommon|unusual"
    "|infrequent|unreasonable|a lot of|much of|as bad|as severe|as much|so much|so bad|that bad"
    "|disappeared|gone|aggravated|worse|radiate|radiated|radiating|sleep|sleeping|drive|work"
    "|well|wake|eat|missed|miss|care)"
)

_PSEUDO = f"""
negative|unremarkable|normal|non-contributory|noncontributory ?,? ?(?:except|save|other than|aside from|apart from|with the exception|besides)(?: for| of)?
no (?:other |further )?(?:complaints?|symptoms?|abnormalit(?:y|ies)|problems?|issues?|concerns?|findings?|changes?)?,? ?(?:except|other than|aside from|apart from|besides)(?: for)?
denies|denied|denying (?:all |any )?(?:other |further )?(?:complaints?|symptoms?|problems?|issues?|concerns?)?,? ?(?:except|other than|aside from|apart from|besides)(?: for)?
{_NOT} {{adv}} (?:(?:really|have|had|has|been|be|seem|to) ){{0,3}}{_NOT_PSEUDO}
{_NOT} (?:un[a-z]{{3,12}}|without|absent|negative|free of)
{_NOT} (?:deny|denied)
isn't|aren't|wasn't|weren't (?:this|it|there|he|she|they|you|these|those){{verb}}
do|does|did|can|could (?:you|he|she|they) not{{verb}}
don't|doesn't|didn't|haven't|hasn't|hadn't (?:you|he|she|they|it){{verb}}
{_NOT} (?:(?:had|have|has|ever|felt|experienced|noticed|been) ){{1,3}}(?:this|these|such|similar|the same)(?=[^.?!\\n]{{0,40}}(?:before|previously|in the past|in (?:all )?(?:my|his|her|their|[a-z0-9]{{1,9}}) ?(?:[a-z]{{1,9}} )?(?:life|years)))
not|never been (?:treated|evaluated|tested|screened|seen|checked|worked up|examined|vaccinated|immunized)(?: for)?
could|can|cannot|can't|couldn't (?:not )?(?:completely |entirely )?(?:be )?(?:ruled out|excluded|rule out|exclude)
cannot|couldn't|can't be (?:completely |entirely )?(?:ruled out|excluded)
no (?:significant |real |further |appreciable |recent |interval |notable |major |marked )?(?:increase|increased|decrease|change|changes|changed|improvement|relief|worsening|progression|resolution|alleviation|better|worse|reduction|response|benefit|success|effect|help|treatment|therapy|medications?|control)(?: (?:in|of|to|with|from|for|on))?
no (?:more than|less than|fewer than|later than|matter|wonder|doubt|question|idea|way|surprise|big deal|good|need|reason|problem with|trouble taking|problems? taking)
no|nope|nah ?(?= ?,(?! no))
no (?=\\d)
with|without or without
hard|difficult|impossible|unable (?:for (?:me|him|her|them|us) )?to (?:[a-z']{{1,12}} ){{1,8}}without(?: (?:any|a lot of|some|much|severe|significant))?
can't|cannot|couldn't|can (?:not )?(?:[a-z']{{1,12}} ){{1,8}}without(?: (?:any|a lot of|some|much|severe))?
without (?:warning|difficulty|incident|complications?|improvement|relief|change|success|problems?|further|treatment|medications?|help|doubt|benefit|assistance)
whether|if|or or not
or|if|why|whether not
not to mention
is|are|was|were it not
gram|rh|her2|er|pr|triple|false|node|sputum|p16 ?-? ?negative
negative (?:thoughts?|feelings?|pressure|affect|symptoms?|side|impact|effects?|outlook|emotions?|self|attitude|bacilli|cocci|rods?|bacteria|reinforcement)
free (?:air|fluid|t3|t4|testosterone|water|range|flap|wall|text|time|thyroxine|psa|light|radical)
feel|feels free
to|must|should|please|can|will|would rule out
rule|ruling out
to|must exclude
r/o
absence|absent (?:seizures?|minded)
denied access|coverage|insurance
never smokers?|smoked
not feeling well|good|right|better
zh 无症状 没有治好 无征兆 无预兆 无先兆 无端 无故
stop|until no longer
zh 不是没有 并非没有 并不是没有 不是没 并非无 不能排除 不除外 不能除外 不排除 未排除 未能排除 尚不能排除 尚不除外 难以排除 无法排除 不可排除 不能完全排除
zh 待排除 待排 待除外 除外待 以排除 需排除 为排除 须排除 要排除 进一步排除 建议排除 排除诊断 排除性
zh 无明显诱因 无诱因 无明显原因 无明确诱因 无明显病因 无明确原因 无特殊诱因 无任何诱因 无原因 无缘无故 没有明显诱因 没有诱因 没有明显原因 没有什么诱因 没什么诱因 没有原因 无明显外伤诱因
zh 未见好转 未见明显好转 未见缓解 未见改善 未见效 未见减轻 未见明显改善 未见明显缓解 未好转 未缓解 未改善 未减轻 未愈 未治愈 未痊愈 未控制 未规律 未按时 未坚持 未予 未治疗 未诊治 未就诊 未重视 未在意 未特殊 未进一步 未系统 未正规 未明确 未明 未破裂 未分化 未成年 未来 未婚 未遂 未知 未及时 未定 未必 未予重视 未予特殊 未完全 未彻底 未足 未孕 未育 未消 未退 未停 未累及 未侵犯 未遵
zh 无好转 无明显好转 无缓解 无明显缓解 无改善 无明显改善 无减轻 无明显减轻 无加重 无明显加重 无变化 无明显变化 无效 无明显效果 无规律 无关 无明显关系 无法 无论 无需 无须 无意 无意识 无意中 无奈 无疑 毫无疑问 无力 无菌 无创 无痛 无痛性 无症状性 无症状菌 无名 无氧 无机 无助 无望 无聊 无偿 无色 无味 无色素 无脑 无脉 无精 无汗症 无牙 无晶 无神 无尿 无月经 无处 无所谓 无情 无数 无限 无线 无可 无瘤 无独有 无人 无知觉 无形 无烟 无糖 无盐 无张力 无排卵 无特异 无欲 无节制
zh 没好转 没有好转 没有明显好转 没缓解 没有缓解 没有明显缓解 没有改善 没改善 没有减轻 没减轻 没有加重 没加重 没有变化 没变化 没有效果 没效果 没有用 没用 没治好 没好 没想到 没注意 没在意 没有在意 没管 没办法 没有办法 没法 没准 没控制 没有控制 没控制好 没有控制好 没多久 没几天 没过 没完全 没有完全 没有规律 没规律 没按时 没有按时 没力气 没有力气 没劲 没有劲 没精神 没有精神 没胃口 没有胃口 没食欲 没有食欲 没那么 没有那么 没有以前 没有之前 没有关系 没关系 没事 没治疗 没有治疗 没太在意 没睡好 没消 没退 没断
zh 存不存在 存在不存在 有没有 有没 有无 是不是 是否 可不可以 能不能 会不会 要不要 痛不痛 疼不疼 不知道 不知 不清楚 不确定 不一定 不好说
zh 不仅 不但 不只 不光 不止 不单 不仅仅 不单单 不明原因 不明 不规则 不典型 不稳定 不全 不足 不良 不适 不孕 不育 不宁 不自主 不能 不得不 不断 不时 不停 不久 不小心 不等 不详 不清 不安 不振 不通 不畅 不尽 不住 不佳 不同 不管 不论 不敢 不用 不要 不想 不退 不愈 不消 不耐 不当 不洁 不过 不可 不应 不完全 不均 不对称 不齐 不协调 不平 不正常 不匀 不整 不固 不遗 不易 不排卵 不舒服 不严重 不厉害 不缓解 不好转 不太好 不好 不治
zh 非常 非典型 非典 非甾体 非酒精 非小细胞 非霍奇金 非感染 非特异 非ST 非st 非胰岛素 非结核 非化脓 非病毒 非处方 非手术 非洲 非得 除非 莫非 是非 非要
zh 阴性菌 阴性杆菌 阴性球菌 三阴性
zh 缺乏症 缺乏性 缺乏锻炼 缺乏运动 缺乏维 排除大便 排除尿 无特殊处理 无特殊治疗 没有特殊处理 没做特殊处理
"""

_TERMINATION = """
but|however|although|though|yet|whereas|while|except|excluding|besides|because|unless|until|despite
other|apart|aside than|from
with|save the exception of|for
due|secondary to
caused|followed|explained by
which|who|so|then|since|when|where|if|for|still|now|therefore|after|before
he|she|we|they|i|you|it|there|patient
has|have|had|is|are|was|were|will|would|may|might|does|did
i'm|he's|she's|it's|i've
reports|reported|complains|complained|endorses|endorsed|admits|admitted|states|stated|presents|presented|developed|develops|experienced|experiences|shows|showed|revealed|reveals|demonstrates|demonstrated|remains|consistent|suggesting|suggestive|came|comes|takes|started|began|describes|suffers|appears
positive for
only|just|mostly
and (?:the|his|her|my|a(?! (?:prior |past )?history of)|an|this|now|normal|positive)
relief|improvement from|of
with (?:all )?(?:these|those|this)
area|site|region of (?:the|his|her|this|injury)
associated with (?:the|his|her|this|these)
and ?(?= no (?!one|longer|matter))
zh 但 但是 然而 不过 可是 却 而 仅 只 只是 只有 现 目前 现在 近来 近期 近日 近 反而 除了 偶 偶有 偶尔 时有 时 常有 曾 曾有 曾患 曾因 有 伴有 伴见 出现 因 由于 可见 自觉 后 于 逐渐 来院 入院 就是 还是 感 感觉 觉得 患 存在 考虑 诊断 提示 符合 为 是 就 主要 经常 总是 一直 每 另 其 见 示
"""

NEGATION: Final = {
    "pseudo": _PSEUDO,
    "post_bare": _POST_BARE,
    "pre": _PRE,
    "pre_near": _PRE_NEAR,
    "pre_adjacent": _PRE_ADJACENT,
    "post_one": _POST_ONE,
    "post_all": _POST_ALL,
    "termination": _TERMINATION,
}
"""Cues of negation by category.

``pre`` stands before a list of mentions, ``pre_near`` at most a few words before one,
``pre_adjacent`` directly before one. ``post_one`` stands after one mention, ``post_bare`` after
mentions back to the last comma, ``post_all`` after a whole list. ``pseudo`` only looks like a
cue, and ``termination`` ends the scope of other cues.
"""

PRE_OR_POST: Final = frozenset(_PRE_OR_POST.split())
"""Cues that stand before or after what they negate; after it if their clause ends with them."""

SPEAKER: Final = r"(?:\[[a-z_ ]{1,15}\]|[a-z_]{1,20}\s?[:：]|[\u4e00-\u9fff]{1,6}[:：])"
"""The name of the speaker at the start of a turn."""
NEGATIVE_ANSWER: Final = (
    r"[\s,，]{0,3}(?:(?:um|uh|oh|ah|well|hmm?|er|嗯|哦|噢|呃|恩)[ ,，.…]{0,4}){0,2}"
    r"(?:(?:no|nope|nah|none|(?:absolutely|definitely|certainly) not|none of (?:that|those|these)|nothing(?: like that| of (?:the|that) (?:kind|sort))?|never|not really|not at all"
    r"|neither(?: of (?:them|those|these))?|not (?:yet|this time)|not to my knowledge"
    r"|no [a-z, ]{1,60}(?:nothing else|or anything)"
    r"|not that (?:i|we)(?:'m| am| are|'ve| can)? ?(?:know|aware|recall|remember|noticed|think)(?: of)?"
    r"|i do ?n't|i have ?n't|denies)"
    r"(?=\s{0,2}(?:[.,!;?-]|$|\n|\[|i |not |and |but |sir|ma'am|doctor|none|nothing|everything|all |we |he |she |ma ?am|no |it "
    r"|that i |that we |to my knowledge))"
    r"|(?:这|那|个|倒|也|都|还|就|好像|暂时|目前|应该|基本|一直|从来|以前|平时|真|是|我){0,4}"
    r"(?:(?:没有|没|无|否认|从未)(?:什么|这种|这些|这样|此类|类似|其他|别的|异常|明显|任何){0,2}"
    r"(?:的|情况|问题|症状|发现|出现|感觉|觉得|得|做|受|有|不适|异常){0,3}|不是|不会"
    r"|不(?!清楚|知道|记得|太|确定|好|一定|详|行|错|舒服|多|少|久|定|怎么|止)[\u4e00-\u9fff]{0,3})"
    r"(?:的|啊|呀|吧|哦|了|呢|过){0,2}(?=[\s，。！,.!;；]|$))"
)
"""An answer that denies everything that was asked about."""
YES_NO_QUESTION: Final = r"\b(?:do|does|did|have|has|had|any|anything|is|are|was|were|ever)\b|有没有|有无|是否|吗|没有?$"
"""Marks a yes-no question that has no question mark."""
OPEN_QUESTION: Final = (
    r"^\W{0,4}(?:(?!any\b|there\b|feel\b|get\b|experience\b)[a-z']{1,15}\W{1,3}){0,4}?"
    r"(?:(?:what|how)(?! about)|when|why|which|where)\b|\b(?:first|only) time\b"
    r"|^(?!.*(?:吗|没|有无|是否)).*(?:怎么|怎样|多久|多少|哪|几|为何|什么)"
)
"""Marks a question that cannot be answered by "no"."""
