/**
 * Dialogue written for measuring restatements: several speakers, people spoken of without a name, things called "it", places
 * called "there", 他, 她, 那里, days told from the day they were said. Labels say what each pronoun means, by hand.
 * Part A was at hand while the rules were written, part B was written afterwards. Read for the first time, B had 3 wrong
 * names among 53; one rule was mended for it since (a Chinese family name at the head of a clause is somebody's name).
 */
export interface SampleTurn {
  readonly speaker: string;
  readonly text: string;
  /**
   * Pronoun → what it may be replaced by, as parts that the replacement must hold one of; null: it stands for nothing that
   * was named, and must stay. One that is not listed is not judged.
   */
  readonly means?: Readonly<Record<string, readonly string[] | null>>;
}

export interface SampleTalk {
  readonly name: string;
  readonly part: "A" | "B";
  readonly language: "en" | "zh";
  /** When the first line was said; the next ones follow by the minute. */
  readonly at: string;
  readonly turns: readonly SampleTurn[];
}

const say = (speaker: string, text: string, means?: SampleTurn["means"]): SampleTurn =>
  means === undefined ? { speaker, text } : { speaker, text, means };

export const SAMPLE: readonly SampleTalk[] = [
  {
    name: "two friends",
    part: "A",
    language: "en",
    at: "2023-06-13T19:00:00Z",
    turns: [
      say("Nora", "I bought a second-hand piano last weekend."),
      say("Nora", "I love it, but the keys are a bit stiff.", { it: ["piano"] }),
      say("Jake", "My uncle tunes pianos for a living. He could look at it on Friday.", {
        he: ["uncle"],
        it: ["piano"],
      }),
      say("Nora", "That would be great! Is he expensive?", { he: ["uncle"] }),
      say("Jake", "He charged my neighbour eighty dollars in March.", { he: ["uncle"] }),
      say("Nora", "My sister Ella moved to Lisbon three weeks ago. She works for a shipping company there.", {
        she: ["Ella"],
        there: ["Lisbon"],
      }),
      say("Jake", "I have never been there, but I hear it is lovely.", { there: ["Lisbon"], it: ["Lisbon"] }),
      say("Nora", "I am going to visit her next month.", { her: ["Ella"] }),
      say("Nora", "It is raining here all the time, so I need the sun.", { it: null }),
      say("Jake", "My parents spent their honeymoon in Portugal. They still talk about it.", {
        their: ["parents"],
        they: ["parents"],
        it: ["honeymoon"],
      }),
      say("Jake", "I started a pottery class yesterday with my cousin Marta. We made two ugly bowls.", {
        we: ["Marta"],
      }),
      say("Nora", "Haha, you have to start somewhere. Did she enjoy it?", { she: ["Marta"], it: ["class"] }),
      say("Jake", "She said it was the best evening of the year.", { she: ["Marta"], it: null }),
      say("Nora", "My boss gave me a camera for my tenth anniversary. I take it everywhere.", {
        it: ["camera"],
      }),
      say("Nora", "Let's meet at the Blue Door on Sunday at noon.", { "let's": ["propose", "suggest"] }),
      say("Jake", "Works for me. I will bring the lamp that you lent me in April."),
      say("Nora", "I had dinner with Paul and Irene last night. They are getting married in October.", {
        they: ["Paul and Irene"],
      }),
      say("Jake", "I met Paul once. He repaired my laptop and wanted no money for it.", {
        he: ["Paul"],
        it: null,
      }),
      say("Nora", "My dog Biscuit ran away on Monday, but a girl found him in the park.", {
        him: ["Biscuit"],
      }),
      say("Jake", "Poor thing! Is he all right?", { he: ["Biscuit"] }),
      say("Nora", "He has a scratch on his nose and sleeps all day.", { he: ["Biscuit"], his: ["Biscuit"] }),
      say("Jake", "I will take my daughter to the dentist tomorrow. She is afraid of needles.", {
        she: ["daughter"],
      }),
    ],
  },
  {
    name: "three colleagues",
    part: "A",
    language: "en",
    at: "2024-02-05T09:00:00Z",
    turns: [
      say("Priya", "The client wants the report by next Thursday."),
      say("Tom", "I can finish the charts today. Lena, can you write the summary?", { you: ["Lena"] }),
      say("Lena", "Sure, I will write it this afternoon.", { it: ["summary"] }),
      say(
        "Priya",
        "Our manager Mr. Okafor flies to Nairobi on Wednesday. He wants to read the draft before that.",
        {
          he: ["Okafor"],
        },
      ),
      say("Tom", "I sent him the budget two days ago, and he has not answered.", {
        him: ["Okafor"],
        he: ["Okafor"],
      }),
      say("Lena", "He lost his phone at the airport last week.", { he: ["Okafor"], his: ["Okafor"] }),
      say("Priya", "My husband and I are looking at a house in Kilburn tonight."),
      say("Tom", "I lived there for six years. The bakery on the corner was wonderful.", {
        there: ["Kilburn"],
      }),
      say("Priya", "We can only afford it if the bank agrees.", { we: ["husband"], it: ["house"] }),
      say("Lena", "It took me two years to find my flat.", { it: null }),
      say("Tom", "There is a printer problem on the third floor.", { there: null }),
      say("Lena", "I called the technician this morning. She will come at three.", { she: ["technician"] }),
      say("Priya", "My colleagues in Leeds use the same printer, and they hate it.", {
        they: ["colleagues"],
        it: ["printer"],
      }),
      say("Tom", "I have booked a table at Rosa's for the team dinner next Friday."),
      say("Lena", "I ate there in December and I loved the gnocchi.", { there: ["Rosa's"] }),
    ],
  },
  {
    name: "两个朋友",
    part: "A",
    language: "zh",
    at: "2023-06-13T12:00:00Z",
    turns: [
      say("陈晨", "我上周末买了一台二手钢琴。"),
      say("陈晨", "我很喜欢它，就是琴键有点硬。", { 它: ["钢琴"] }),
      say("李雷", "我舅舅是调琴师，他周五可以去看看。", { 他: ["舅舅"] }),
      say("陈晨", "太好了！他收费贵不贵？", { 他: ["舅舅"] }),
      say("李雷", "他三月份给我邻居调琴收了三百块。", { 他: ["舅舅"] }),
      say("陈晨", "我姐姐小雅三周前搬到了杭州，她在那里的一家电商公司上班。", {
        她: ["小雅"],
        那里: ["杭州"],
      }),
      say("李雷", "我从来没去过那里，听说很漂亮。", { 那里: ["杭州"] }),
      say("陈晨", "我下个月要去看她。", { 她: ["小雅"] }),
      say("李雷", "我爸妈的蜜月是在云南过的，他们到现在还常常提起。", { 他们: ["爸妈"] }),
      say("李雷", "我昨天和表妹丽丽去上了陶艺课，我们做了两个很丑的碗。", { 我们: ["丽丽"] }),
      say("陈晨", "哈哈，她喜欢吗？", { 她: ["丽丽"] }),
      say("李雷", "她说那是今年最开心的一个晚上。", { 她: ["丽丽"] }),
      say("陈晨", "老板送了我一台相机，我走到哪儿都带着它。", { 它: ["相机"] }),
      say("陈晨", "这周日中午我们在蓝门餐厅见面吧。", { 我们: ["陈晨和李雷"] }),
      say("李雷", "好的，我会把你四月借给我的台灯带过去。"),
      say("陈晨", "我昨晚和王刚、李梅一起吃饭，他们十月要结婚了。", { 他们: ["王刚", "李梅"] }),
      say("李雷", "我见过王刚一次，他帮我修过电脑。", { 他: ["王刚"] }),
      say("陈晨", "我的狗豆豆周一跑丢了，一个女孩在公园里找到了它。", { 它: ["豆豆"] }),
      say("李雷", "我明天要带女儿去看牙医，她很怕打针。", { 她: ["女儿"] }),
      say("陈晨", "我后天要去上海出差，大后天才回来。"),
    ],
  },
  {
    name: "三个同事",
    part: "A",
    language: "zh",
    at: "2024-02-05T01:00:00Z",
    turns: [
      say("阿玲", "客户要我们下周四之前交报告。", { 我们: null }),
      say("大伟", "图表我今天就能做完。苏苏，你来写摘要行吗？", { 你: ["苏苏"] }),
      say("苏苏", "没问题，我今天下午写完它。", { 它: ["摘要"] }),
      say("阿玲", "我们经理张建国周三飞广州，他想在那之前看到初稿。", { 他: ["张建国"] }),
      say("大伟", "我前天把预算发给他了，他还没有回。", { 他: ["张建国"] }),
      say("苏苏", "他上周在机场把手机弄丢了。", { 他: ["张建国"] }),
      say("阿玲", "我和老公今晚要去浦东看一套房子。"),
      say("大伟", "我在那里住过六年，街角的面包店特别好。", { 那里: ["浦东"] }),
      say("阿玲", "要银行同意贷款，我们才买得起。", { 我们: ["老公"] }),
      say("苏苏", "我今早给维修师傅打了电话，她三点过来。", { 她: ["维修师傅", "师傅"] }),
      say("阿玲", "我在成都的同事们用的也是这种打印机，他们都很讨厌它。", { 他们: ["同事"], 它: ["打印机"] }),
      say("大伟", "我订了下周五晚上老饭店的位子，大家一起聚餐。"),
      say("苏苏", "我去年十二月在那儿吃过，很喜欢那道红烧肉。", { 那儿: ["老饭店"] }),
    ],
  },
  {
    name: "old school friends",
    part: "B",
    language: "en",
    at: "2022-09-07T18:00:00Z",
    turns: [
      say("Owen", "My grandmother turned ninety last Saturday. We threw her a party in Bristol.", {
        we: null,
        her: ["grandmother"],
      }),
      say("Sara", "How lovely! Does she still live there?", { she: ["grandmother"], there: ["Bristol"] }),
      say("Owen", "She does. Her kitchen smells of cinnamon, as it did when I was small.", {
        she: ["grandmother"],
        her: ["grandmother"],
        it: ["kitchen"],
      }),
      say("Sara", "I sold my motorbike yesterday. I had it for eleven years.", { it: ["motorbike"] }),
      say("Owen", "Who bought it?", { it: ["motorbike"] }),
      say("Sara", "A student from Cardiff. He paid in cash and rode it home.", {
        he: ["student"],
        it: ["motorbike"],
      }),
      say("Owen", "My brother Liam wants to move to Cardiff. His firm opens an office there in January.", {
        his: ["Liam"],
        there: ["Cardiff"],
      }),
      say("Sara", "Tell him that the rents are mad.", { him: ["Liam"] }),
      say("Owen", "He knows. He looked at four flats last week and hated all of them.", {
        he: ["Liam"],
        them: ["flats"],
      }),
      say("Sara", "I finally finished the novel that you gave me. I liked it a lot.", { it: ["novel"] }),
      say("Owen", "It is my favourite book of the year.", { it: ["novel"] }),
      say("Sara", "My neighbours got a drum kit. They practise at midnight.", { they: ["neighbours"] }),
      say("Owen", "Have you talked to them?", { them: ["neighbours"] }),
      say("Sara", "I wrote them a letter the day before yesterday.", { them: ["neighbours"] }),
      say(
        "Owen",
        "I went climbing with my friend Hugo on Sunday. We got caught in a storm, and he twisted his ankle.",
        {
          we: ["Hugo"],
          he: ["Hugo"],
          his: ["Hugo"],
        },
      ),
      say("Sara", "Oh no! Is he in hospital?", { he: ["Hugo"] }),
      say("Owen", "They let him go after an hour.", { they: null, him: ["Hugo"] }),
      say("Sara", "My daughter Amy has a violin exam in two weeks. Her teacher says that she is ready.", {
        her: ["Amy"],
        she: ["Amy"],
      }),
      say("Owen", "I used to play the violin, but I gave it up.", { it: ["violin"] }),
      say("Sara", "Let's have lunch at Marco's next Tuesday.", { "let's": ["propose"] }),
      say("Owen", "I will be there. It is my turn to pay.", { there: ["Marco's"], it: null }),
    ],
  },
  {
    name: "a choir",
    part: "B",
    language: "en",
    at: "2025-03-14T20:00:00Z",
    turns: [
      say("Bea", "The conductor is ill, so the concert moves to next Saturday."),
      say("Finn", "I saw her this morning. She has lost her voice.", {
        her: ["conductor"],
        she: ["conductor"],
      }),
      say("Gus", "My wife baked a cake for the interval. Bea, could you pick it up tomorrow?", {
        it: ["cake"],
      }),
      say("Bea", "Sure. Does she still work at the bakery in Harlow?", { she: ["wife"] }),
      say("Gus", "No, she left in January. She teaches at a school now, and the children adore her.", {
        she: ["wife"],
        her: ["wife"],
      }),
      say("Finn", "My parents are coming to the concert. They have never heard us sing.", {
        they: ["parents"],
        us: null,
      }),
      say("Bea", "Where do they live?", { they: ["parents"] }),
      say("Finn", "In Galway. I grew up there and I still miss the sea.", { there: ["Galway"] }),
      say("Gus", "I spent a summer in Galway with Nina and Carl. We slept in a tent for two months.", {
        we: ["Nina and Carl"],
      }),
      say("Bea", "Carl called me two days ago. He wants to join the choir.", { he: ["Carl"] }),
      say("Finn", "He should talk to Henry first. He keeps the list.", { he: null }),
      say("Gus", "It was snowing when I left the house today.", { it: null }),
      say("Bea", "I bought a metronome on Monday, and my cat broke it on Wednesday.", { it: ["metronome"] }),
    ],
  },
  {
    name: "老同学",
    part: "B",
    language: "zh",
    at: "2022-09-07T10:00:00Z",
    turns: [
      say("周宁", "我奶奶上周六过九十大寿，全家在苏州给她办了寿宴。", { 她: ["奶奶"] }),
      say("何欣", "真好！她还住在那里吗？", { 她: ["奶奶"], 那里: ["苏州"] }),
      say("周宁", "是的，她每天早上都去公园打太极。", { 她: ["奶奶"] }),
      say("何欣", "我昨天把摩托车卖了，骑了它十一年。", { 它: ["摩托车"] }),
      say("何欣", "买家是个南京的学生，他付的现金。", { 他: ["学生"] }),
      say("周宁", "我弟弟小凯想搬到南京去，他的公司一月份在那里开分部。", { 他: ["小凯"], 那里: ["南京"] }),
      say("何欣", "你告诉他，房租很贵。", { 他: ["小凯"] }),
      say("周宁", "他上星期看了四套房子，一套都不满意。", { 他: ["小凯"] }),
      say("何欣", "我终于读完了你送我的那本小说，我很喜欢它。", { 它: ["小说"] }),
      say("何欣", "我邻居买了一套架子鼓，他们半夜练习。", { 他们: ["邻居"] }),
      say("周宁", "你跟他们谈过吗？", { 他们: ["邻居"] }),
      say("何欣", "我前天给他们写了一封信。", { 他们: ["邻居"] }),
      say("周宁", "我周日和朋友阿浩去爬山，我们遇上了暴雨，他扭伤了脚。", { 我们: ["阿浩"], 他: ["阿浩"] }),
      say("何欣", "他住院了吗？", { 他: ["阿浩"] }),
      say("周宁", "没有，他一个小时以后就出院了。", { 他: ["阿浩"] }),
      say("何欣", "我女儿两周后有小提琴考试，老师说她准备得很好。", { 她: ["女儿"] }),
      say("周宁", "我小时候也学过小提琴，后来放弃了。"),
      say("何欣", "下周二中午咱们一起去吃火锅吧。", { 咱们: ["何欣和周宁"] }),
      say("周宁", "好的，这次我请客。"),
    ],
  },
  {
    name: "合唱团",
    part: "B",
    language: "zh",
    at: "2025-03-14T12:00:00Z",
    turns: [
      say("贝贝", "指挥病了，演出改到下周六。"),
      say("方宇", "我今天早上见过她，她嗓子哑了。", { 她: ["指挥"] }),
      say("高峰", "我太太为中场休息烤了一个蛋糕。贝贝，你明天能来取吗？", { 你: ["贝贝"] }),
      say("贝贝", "可以。她还在面包店上班吗？", { 她: ["太太"] }),
      say("高峰", "她一月份辞职了，现在在小学教书，孩子们都很喜欢她。", { 她: ["太太"] }),
      say("方宇", "我爸妈要来看演出，他们从来没听过我唱歌。", { 他们: ["爸妈"] }),
      say("方宇", "他们住在青岛，我在那里长大，很想念大海。", { 他们: ["爸妈"], 那里: ["青岛"] }),
      say("高峰", "我大学时和小娜去青岛过了一个夏天，我们在帐篷里住了两个月。", { 我们: ["小娜"] }),
      say("贝贝", "王磊前天给我打电话，他想加入合唱团。", { 他: ["王磊"] }),
      say("方宇", "他应该先找刘洋谈，他负责名单。", { 他: null }),
      say("贝贝", "我周一买了一个节拍器，周三就被我的猫摔坏了。"),
      say("高峰", "我儿子下个月去德国留学，他要在那里待两年。", { 他: ["儿子"], 那里: ["德国"] }),
    ],
  },
];
