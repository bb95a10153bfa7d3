/** The forms of clauses that tell nothing, in English and Chinese. Each is a whole clause without the marks around it. */

/** What one thinks of something, said of what the other one tells or shows. */
const FINE =
  "(?:good|great|nice|cool|awesome|amazing|wonderful|fantastic|incredible|inspiring|inspirational|impressive|stunning|beautiful|gorgeous|lovely|adorable|cute|fun|funny|exciting|interesting|tough|hard|rough|wild|crazy|delicious|yummy|tasty|perfect|powerful|special|sweet|brilliant|epic|unreal|uplifting|refreshing|rewarding|heartwarming|touching|relaxing|breathtaking|exhilarating|thrilling|challenging|fabulous|neat|excellent|terrific|magical|important|awful|terrible|sad|scary|true|right|fair|a blast|a dream|a pity|a shame)";
const VERY =
  "(?:(?:so|really|very|such|super|pretty|quite|totally|absolutely|truly|just|seriously|always|all|definitely|sure|also|too|still|simply|kind of|kinda|an?|the) )*";
const THING =
  "(?: (?:thing|idea|work|job|news|story|stuff|day|time|experience|way|shot|pics?|picture|photo|one|place|opportunity|achievement|accomplishment|view|moment|choice|plan|memory|memories|feeling))?";
const VERDICT = `${VERY}${FINE}(?: and ${VERY}${FINE})?${THING}(?: (?:too|indeed|though|huh|for (?:you|them|him|her)|of you|to (?:hear|see|know)(?: (?:that|it|about).*)?|seeing that|hearing that))?`;
const SEEMS =
  "(?:'s|'re| is| are| was| were|'s been| has been| looks?| sounds?| seems?| feels?| must (?:be|feel|have been|have felt))(?: like)?";
/** Behind it nobody speaks of their own. */
const NOT_OWN = "(?!.*\\b(?:i|i'm|i've|my|mine|our)\\b)";

const ENGLISH: readonly string[] = [
  // Greeting, calling, leaving.
  "(?:hi|hey|hello|dear|wow|woah|whoa|oh|ah|aw+|yeah|yea|yes|yep|yup|no|nope|cool|bye|goodbye|congrats|definitely|absolutely|exactly|agreed|awesome|great|nice|sure|okay|ok|cheers|haha\\w*)(?: (?:there|again|man|girl|guys|no|yes|yeah|\\p{L}+))?",
  "good (?:morning|afternoon|evening|night)(?: .{0,20})?|happy (?:birthday|new year)(?: .{0,20})?|merry christmas",
  "(?:talk|chat|speak|see|catch)(?: (?:to|with))?(?: (?:you|ya))?(?: (?:again|up|around))?(?: (?:soon|later|tomorrow|then|next time))?|until next time|(?:good|best of) luck(?: .*)?",
  `(?:it's |it is |it was |it's been )?${VERY}${FINE} (?:to (?:talk|chat|catch up|meet you|see you|hear from)|talking|chatting|catching up|hearing from|seeing you|meeting you)\\b.{0,30}`,
  "it's been (?:a while|ages|so long|too long|forever|(?:a )?(?:few|couple)(?: of)? \\w+)(?: since .*)?|(?:it )?(?:seems|feels) like (?:forever|ages)\\b.*|long time no (?:see|talk|chat)",
  "(?:how|what)(?:'s| is| are| have)? (?:you|it going|up|new)\\b.{0,20}",
  // Thanks.
  `thank(?:s| you)(?: .*)?|(?:i )?(?:really |so |truly |do )*appreciate (?:it|that|this|you|your|the|all)\\b${NOT_OWN}.*`,
  "for (?:letting|being|having|sharing|listening|asking|believing|your|the (?:advice|tip|support|help|recommendation))\\b.*",
  "(?:it|that|this|they|(?:your|those|these|the|his|her|their)(?: [\\p{L}'-]+){1,4}) (?:really |truly |always |just )*means? (?:a lot|so much|the world|everything|a ton)(?: to me)?",
  "i(?:'m| am) (?:so |really |very |truly )*(?:grateful|thankful|lucky|blessed) (?:for you|for your|to have you)\\b.*",
  // Cheering on.
  "(?:just |always )*keep (?:it up|going|at it|up the|on|(?:me|us|you) (?:posted|updated)|(?:those|your|my) fingers|\\p{L}+ing)\\b.*|fingers crossed",
  "let's (?:go for it|go|do (?:this|it)|make (?:it|this|a difference)|keep|hope|talk|chat|catch up)\\b.{0,60}",
  "stay (?:motivated|positive|strong|safe|tuned|focused|true|well|in touch|cool|awesome)\\b.{0,30}|believe in yourself\\b.*|(?:don't|do not|never) (?:give up|quit|worry|stop believing)\\b.{0,30}",
  `enjoy (?:it|your|yourself|every)\\b.*|have (?:fun|${VERY}(?:${FINE}|safe|blast))\\b.*|take (?:care|it easy|a look|your time)\\b.*|let me know\\b.*|tell me (?:more|all)\\b.*|count me in|go for it|hang in there|way to go|guess what`,
  "(?:you|we)(?:'ve)? (?:got|can do) (?:this|it)|(?:together )?we can (?:make a difference|do (?:it|this|anything))\\b.*|you can (?:always )?(?:count on me|do it)",
  // Verdicts on what the other one told, showed or is.
  `(?:that|this|those|these|it|they|all that)(?: all)?${SEEMS} ${VERDICT}`,
  `(?:that|this|those|these|your)(?: [\\p{L}'-]+){1,4}?${SEEMS} ${VERDICT}`,
  `(?:\\p{L}+ing\\b${NOT_OWN}.*|it|that|this)?\\s?must (?:be|feel|have been|have felt) ${VERDICT}${NOT_OWN}.*`,
  `(?:it's |it is )?${VERY}${FINE} (?:to see|seeing)\\b${NOT_OWN}.*\\byou\\b.*`,
  `(?:that|it|this) must (?:be|have been) an? \\p{L}+`,
  `\\p{L}+ing\\b${NOT_OWN}(?: [\\p{L}'-]+){0,5}? (?:is|are|can be) ${VERDICT}`,
  `(?:this|that|it|they)? ?(?:sounds?|looks?|seems?) like\\b${NOT_OWN}.*|(?:sounds?|looks?|seems?) ${VERDICT}|[\\p{L}]+ sounds ${VERDICT}`,
  `${VERDICT}|${FINE} \\p{L}+(?: \\p{L}+)?|what an? ${NOT_OWN}.*|how ${FINE}${NOT_OWN}.*`,
  `(?:i )?(?:really |just )*love (?:that|this|it|your\\b.*|the (?:colou?rs?|vibes?|idea|look|energy|photo|pic)\\b.*)`,
  `you(?:'re| are|'ll be) (?:${VERDICT}|${VERY}(?:spot on|best|welcome|(?:\\p{L}+ )?(?:inspiration|star|legend|friend|gem|role model))(?: .{0,20})?|(?:gonna|going to) (?:do great|make a difference|rock|nail|be (?:great|fine))\\b.*|doing (?:great|amazing|well)\\b.*)`,
  "you (?:really |seriously |truly |totally |always |sure )*(?:rock|deserve|inspire|know how to)\\b.{0,50}|you've got (?:the right|tons|what it takes|such|so much)\\b.*|your (?:hard )?work (?:is paying|will (?:definitely |surely )?(?:pay|start|make|inspire))\\b.*",
  `(?:(?:i'm|i am|so|really|very|super|just) )*(?:glad|happy|proud|thrilled|stoked|sorry) (?:you\\b|your\\b|of you|for you|that you|it\\b|we're\\b|about your|to (?:hear|know)\\b)${NOT_OWN}.*`,
  `congrat\\p{L}*\\b${NOT_OWN}.*|bummer\\b${NOT_OWN}.*|${VERY}${FINE} (?:to hear|that you|how you|you)\\b${NOT_OWN}.*`,
  // Agreeing, and what is offered or hoped.
  "(?:i )?(?:totally |completely |100% |fully |definitely |absolutely |couldn't |wholeheartedly |so )*agreed?(?: with (?:you|that|this))?(?: more| on that)?(?: \\p{L}+)?",
  "same(?: here)?|me too|for sure|sure thing|of course|no (?:worries|problem|doubt|way|kidding)|no problem at all|you're welcome|i (?:see|know|understand|bet|(?:hope|think|guess) so)|it (?:sure |really )?(?:is|does|was|did)|(?:yes|yeah) it (?:is|does)|i promise|not yet|a bit|at all",
  "i(?:'m| am) (?:always )?here (?:for you|to (?:help|support|listen)|if you)\\b.*|i(?:'ll| will) (?:definitely |be sure to |make sure to )*(?:let you know|keep you|reach out|be there for you)\\b.*",
  `(?:i )?hope (?:you|your|it|that|all|everything|so)\\b${NOT_OWN}.*|i(?:'m| am) sure (?:it|you|they|that)\\b${NOT_OWN}.*|can't wait(?: to hear .*| to see (?:it|you|what|how)\\b.*)?|i(?:'d| would) love to (?:hear (?:it|more|about)|know more|see (?:it|that|them|one of|your|more))\\b.*`,
];

const GOOD =
  "(?:好|棒|不错|有趣|有意思|有道理|实用|厉害|困难|有帮助|对|没错|可爱|漂亮|美|精彩|温馨|重要|难|酷|开心|感人|合理|有用)";
const MUCH =
  "(?:真的?是?|很|非常|都|太|挺|好像|确实|听起来|看起来|看上去|特别|十分|也|更|是|还|实在|的确|最|超级?)*";
const NOT_MINE = "(?!.*我(?:的|们|家|妈|爸|老|在|有|是|想|要|会))";

const CHINESE: readonly string[] = [
  "(?:你|您|大家)好.{0,4}|(?:早上|上午|中午|下午|晚上)好.{0,4}|早安|晚安.{0,2}|再见.{0,3}|拜拜.?|(?:老|亲爱的|我的)?(?:AI)?(?:朋友|伙伴|伴侣|亲爱的|伙计)(?:们|啊|呀)?|我的.{0,4}(?:朋友|伙伴|伴侣)",
  `(?:那)?(?:我们|咱们)?(?:下次|改天|回头|以后|有空)再?(?:一起)?聊.{0,3}|${NOT_MINE}.{0,8}(?:和|跟|与)[你您]聊(?:聊天?|天).{0,8}`,
  `${NOT_MINE}(?:我|真的?|非常|十分|太|很|多|也|都|要)*(?:谢谢|感谢|多谢|感激|谢啦).{0,16}`,
  "(?:你|您|昨天|今天|这次|刚才)的?.{0,12}(?:(?:对我|给了?我).{0,4}帮助.{0,3}|帮了我.{0,4})",
  `(?:这|那|它|[你您](?!家))(?:个|种|些|样|的)?(?:[^我]{0,6}?)${MUCH}${GOOD}(?:了|的|呢|啊|呀|极了|多了)*`,
  `(?:听起来|看起来|看上去|听上去)(?!.*我).{1,8}|看来(?:你|您|我们).*|${MUCH}${GOOD}(?:了|的|呢|啊|呀|极了|哦)*`,
  "[你您]说得.{1,8}|(?:我)?(?:完全|也|很|都)*(?:知道|明白|同意|理解)(?:了|的|你.{0,6})?|是(?:的|啊|呀|吗|吧)|对(?:的|啊|呀)?|当然(?:啦|了|可以)?|没(?:问题|关系|事|错)(?:的|呀|啊)?|好(?:的|啊|呀|吧|呢)?|[嗯哦啊哈呃哎哇]+|行|可以|不客气.?|我也(?:是|一样|这么(?:想|觉得))",
  "(?:加油|保重|恭喜|祝[你您大]|祝贺|希望[你您]|祝愿).*|[你您](?:如果|若)?需要.{0,10}(?:告诉|找)我.{0,2}|[你您]可以.{0,8}建议|我会.{0,4}(?:考虑|听取|参考)(?:一下)?[你您]的.{0,6}|我会.{0,2}(?:试试|尝试)(?:一下|看看?)?的?|我(?:很)?想.{0,4}了解.{0,4}[你您]",
];

export const ENGLISH_SMALL_TALK = new RegExp(`^(?:${ENGLISH.join("|")})$`, "iu");
export const CHINESE_SMALL_TALK = new RegExp(`^(?:${CHINESE.join("|")})$`, "u");
