-- Names of people are searched without accents from now on. Each letter of the first text becomes the one in the same place of
-- the second; what the second has no place for, the accents themselves, goes.
WITH "Folded"("from", "to") AS (VALUES (
  'àáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžơưǎǐǒǔǖǘǚǜǟǡǣǧǩǫǭǯǵǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳάέήίϊϋόύώйѐёѓїќѝўѷӂӑӓӗӛӝӟӣӥӧӫӭӯӱӳӵӹḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧὰὲὴὶὸὺὼᾰᾱῐῑῠῡῥ↚↛↮⇍⇎⇏∄∉∌∤∦≁≄≇≉≠≢≭≮≯≰≱≴≵≸≹⊀⊁⊄⊅⊈⊉⊬⊭⊮⊯⋠⋡⋢⋣⋪⋫⋬⋭̴̵̶̷̸̡̢̧̨̛̖̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̹̺̻̼͇͈͉͍͎̀́̂̃̄̅̆̇̈̉̊̋̌̍̎̏̐̑̒̓̔̽̾̿͂͆͊͋͌̕̚͏͓͔͕͖͙͚͐͑͒͗͛ͣͤͥͦͧͨͩͪͫͬͭͮͯ̀́̓̈́͘͜͟͢͝͞͠͡ͅ',
  'aaaaaaceeeeiiiinooooouuuuyyaaaccccdeeeeegggghiiiijklllnnnooorrrssssttuuuuuuwyzzzouaiouuuuuaaægkooʒgnaæøaaeeiioorruusthaeooooyαεηιιυουωиеегікиуѵжааеәжзииоөэууучыabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyyααααααααεεεεεεηηηηηηηηιιιιιιιιοοοοοουυυυωωωωωωωωαεηιουωααιιυυρ←→↔⇐⇔⇒∃∈∋∣∥∼≃≅≈=≡≍<>≤≥≲≳≶≷≺≻⊂⊃⊆⊇⊢⊨⊩⊫≼≽⊑⊒⊲⊳⊴⊵'))
UPDATE "Participant" SET "searchKey" = (
  WITH RECURSIVE "Letters"("place", "key") AS (
    SELECT 0, ''
    UNION ALL
    SELECT "place" + 1, "key" || CASE instr("from", substr("searchKey", "place" + 1, 1))
      WHEN 0 THEN substr("searchKey", "place" + 1, 1)
      ELSE substr("to", instr("from", substr("searchKey", "place" + 1, 1)), 1) END
    FROM "Letters", "Folded" WHERE "place" < length("searchKey")
  )
  SELECT "key" FROM "Letters" ORDER BY "place" DESC LIMIT 1
)
WHERE "searchKey" GLOB '*[^' || char(1) || '-' || char(127) || ']*';
